"""ATIF: trajectories of Harbor's own agents, and those of our whole sessions."""

import json
from pathlib import Path
from typing import Any

import pytest

from swe_together.adapter import trajectory
from swe_together.pipeline.sessions import Call, Interrupt, Notice, Outcome, Reply, Session, Tokens, read_sessions

Step = dict[str, Any]


def user(message: Any, **fields: Any) -> Step:
    return {"source": "user", "message": message, **fields}


def agent(message: str = "", *calls: tuple[str, str, dict[str, Any], Any], **fields: Any) -> Step:
    made = [{"tool_call_id": key, "function_name": name, "arguments": given} for key, name, given, _ in calls]
    results = [{"source_call_id": key, "content": output} for key, _, _, output in calls]
    more = {"tool_calls": made, "observation": {"results": results}} if calls else {}
    return {"source": "agent", "message": message, **more, **fields}


def document(*steps: Step, name: str = "example", **fields: Any) -> dict[str, Any]:
    numbered = [{"step_id": number, **step} for number, step in enumerate(steps, 1)]
    who = {"name": name, "version": "1.0", "model_name": "example-x"}
    return {"schema_version": "ATIF-v1.6", "session_id": "a71f", "agent": who, "steps": numbered, **fields}


def read(content: dict[str, Any], folder: Path) -> Session:
    path = folder / "trajectory.json"
    path.write_text(json.dumps(content, indent=2))
    [session] = read_sessions(path)
    return session


def said(session: Session) -> list[tuple[str, str]]:
    return [(human.channel, human.text) for human in session.humans()]


def outcomes(session: Session) -> list[Outcome]:
    return [event for event in session.events if isinstance(event, Outcome)]


def notices(session: Session) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in session.events if isinstance(event, Notice)]


def test_a_whole_session(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
    session = read(
        document(
            {"source": "system", "message": "You are an agent."},
            user("the kettle whistles too early", timestamp="2026-03-01T09:00:00Z"),
            agent(
                "I'll raise it.",
                ("c1", "bash", {"command": "ls"}, "Exit code: 2\nWall time: 0 seconds\nOutput:\nno"),
                ("c2", "Edit", {"file_path": "src/whistle.py"}, [{"type": "text", "text": "ok"}]),
                ("c3", "shell", {"command": ["apply_patch", patch]}, "Success. Updated the following files"),
                metrics={"prompt_tokens": 10, "completion_tokens": 2},
                model_name="other-x",
            ),
            final_metrics={"total_prompt_tokens": 30, "total_completion_tokens": 4, "total_cached_tokens": 5},
        ),
        tmp_path,
    )
    assert said(session) == [("typed", "the kettle whistles too early")]
    assert [event.text for event in session.events if isinstance(event, Reply)] == ["I'll raise it."]
    calls = [event for event in session.events if isinstance(event, Call)]
    assert [(one.action, one.path) for one in calls] == [("run", None), ("edit", "src/whistle.py"), ("patch", "a.py")]
    assert [(one.status, one.exit_code, one.text[-2:]) for one in outcomes(session)] == [
        ("failed", 2, "no"),
        (None, None, "ok"),
        ("ok", None, "es"),
    ]
    assert not notices(session)
    origin = session.origin
    assert (origin.session_id, origin.agent, origin.version) == ("a71f", "example", "1.0")
    assert origin.models == ("example-x", "other-x")
    assert session.tokens == Tokens(input=30, cached=5, output=4)


def test_our_own_merged_trajectory(tmp_path: Path) -> None:
    """Made by the function that writes it for a trial."""
    answer: Step = agent("Done.", ("c1", "bash", {"command": "ls"}, "src"))
    turns = [
        ("raise the limit", {"turn": 1, "kind": "instruction"}, [user("You are in a container."), answer]),
        ("not above 99", {"turn": 2, "kind": "follow-up"}, [agent("Fine.", metrics={"prompt_tokens": 1})]),
    ]
    who = {"name": "example", "version": "1.0", "model_name": "example-x"}
    totals = {"total_prompt_tokens": 30, "total_completion_tokens": 4}
    session = read(trajectory.merge(turns, None, who, totals, {"arm": "interactive"}), tmp_path)
    assert said(session) == [("typed", "raise the limit"), ("typed", "not above 99")]
    assert notices(session) == [("synthetic", "You are in a container.")]
    assert [one.call_id for one in outcomes(session)] == ["c1"]
    assert session.tokens == Tokens(input=30, output=4)


def test_a_step_without_our_mark_is_none_of_the_users_in_a_session_of_ours(tmp_path: Path) -> None:
    mark = {"swe_together": {"turn": 1, "kind": "instruction"}}
    session = read(document(user("one", extra=mark), user("two"), extra={"swe_together": {}}), tmp_path)
    assert said(session) == [("typed", "one")]
    assert notices(session) == [("synthetic", "two")]


def test_channels_and_stops_that_a_conversion_kept(tmp_path: Path) -> None:
    extra = {"channel": "command", "command": "/brew"}
    session = read(
        document(
            user("no sugar", extra=extra),
            user("hot", extra={"channel": "smoke"}),
            agent("x", extra={"interrupted": True}),
        ),
        tmp_path,
    )
    assert [(human.channel, human.command, human.text) for human in session.humans()] == [
        ("command", "/brew", "no sugar"),
        ("typed", None, "hot"),
    ]
    assert isinstance(session.events[-1], Interrupt)


def test_steps_copied_from_an_earlier_run_belong_to_the_session_and_count_once(tmp_path: Path) -> None:
    copied = {"is_copied_context": True}
    metrics = {"prompt_tokens": 10, "completion_tokens": 2, "cached_tokens": 1, "extra": {"reasoning_tokens": 1}}
    steps = [
        user("one", **copied),
        agent("Yes.", metrics=metrics, **copied),
        user("two"),
        user("two", **copied),
        agent("Fine.", metrics=metrics),
    ]
    session = read(document(*steps, final_metrics={"total_prompt_tokens": 10}), tmp_path)
    assert said(session) == [("typed", "one"), ("typed", "two")]
    assert session.tokens == Tokens(input=20, cached=2, output=4, reasoning=2)


def test_the_same_words_twice_are_two_messages(tmp_path: Path) -> None:
    assert said(read(document(user("go on"), agent("x"), user("go on")), tmp_path)) == [("typed", "go on")] * 2


@pytest.mark.parametrize(
    ("name", "text", "typed", "kinds"),
    [
        ("terminus-2", "You are…\n\nTask Description:\nboil water\n\nCurrent terminal state:\n$ \n", "boil water", []),
        ("terminus-2", "Here is what was done so far", "", ["summary"]),
        ("codex", "## Active file: a.py\n\n## My request for Codex:\nboil water", "boil water", ["context"]),
        ("claude-code", "<system-reminder>\nbe brief\n</system-reminder>\nboil water", "boil water", ["reminder"]),
        ("gemini-cli", "<session_context>\nSunday\n</session_context>", "", ["context"]),
        ("example", "boil water", "boil water", []),
    ],
)
def test_texts_of_programs_by_the_agents_own_rules(
    tmp_path: Path, name: str, text: str, typed: str, kinds: list[str]
) -> None:
    session = read(document(user(text), name=name), tmp_path)
    assert [human.text for human in session.humans()] == ([typed] if typed else [])
    assert [kind for kind, _ in notices(session)] == kinds


def test_a_stop_told_by_text(tmp_path: Path) -> None:
    session = read(document(user("[Request interrupted by user]"), user("no"), name="claude-code"), tmp_path)
    assert isinstance(session.events[0], Interrupt)
    assert said(session) == [("typed", "no")]


def test_results_that_name_no_call_come_in_the_order_of_the_calls(tmp_path: Path) -> None:
    step = agent("", ("c1", "bash", {}, ""), ("c2", "bash", {}, ""))
    results = [{"content": "first"}, {"content": "second", "extra": {"is_error": True}}, {"content": "third"}]
    step["observation"] = {"results": results}
    session = read(document(step), tmp_path)
    assert [(one.call_id, one.status, one.text) for one in outcomes(session)] == [
        ("c1", None, "first"),
        ("c2", "failed", "second"),
        ("step 1.3", None, "third"),
    ]


def test_system_steps_of_an_agents_own_user(tmp_path: Path) -> None:
    steps = [
        {"source": "system", "message": "as a user", "extra": {"original_source": "user"}},
        {"source": "system", "message": "summary", "is_copied_context": True},
    ]
    session = read(document(*steps), tmp_path)
    assert notices(session) == [("synthetic", "as a user"), ("summary", "summary")]


def test_impossible_shapes_are_reported(tmp_path: Path) -> None:
    content = document(user([{"type": "text", "text": "one"}, {"type": "image"}]), agent("x"))
    content["steps"] += [7, {"source": "agent", "tool_calls": [{}], "observation": []}, {"source": "later"}]
    session = read(content, tmp_path)
    assert [(human.text, human.images) for human in session.humans()] == [("one", 1)]
    assert [problem.record for problem in session.problems] == [3, 4]
