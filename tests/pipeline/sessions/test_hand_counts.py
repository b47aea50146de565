"""Values counted in the raw files, by reading them, before and apart from the importers."""

from pathlib import Path

import pytest

from swe_together.pipeline.sessions import Call, Human, Interrupt, Outcome, Session, read_sessions

pytestmark = pytest.mark.data


def load(transcripts: Path, name: str) -> Session:
    sessions = list(read_sessions(transcripts / name))
    assert len(sessions) == 1
    return sessions[0]


def humans(session: Session, channel: str = "typed") -> list[int]:
    return [len(message.text) for message in session.humans() if message.channel == channel]


def tools(session: Session) -> dict[str, int]:
    names = [event.tool for event in session.events if isinstance(event, Call)]
    return {name: names.count(name) for name in set(names)}


def test_codex_counts_what_was_typed_and_no_instructions(transcripts: Path) -> None:
    session = load(transcripts, "codex-1.jsonl")
    # Lines 9, 19, 26 and 34; lines 4 and 5 look like a user's and are the program's.
    assert [event.record for event in session.events if isinstance(event, Human)] == [9, 19, 26, 34]
    assert [message.text.split()[0] for message in session.humans()] == ["do", "okay", "how", "so"]
    assert tools(session) == {}
    assert (session.tokens.input, session.tokens.cached, session.tokens.output, session.tokens.reasoning) == (
        55031,
        34304,
        428,
        77,
    )
    assert session.origin.cwd == "/Users/dev1/projects/myapp"


def test_codex_without_events_of_the_user(transcripts: Path) -> None:
    session = load(transcripts, "codex-2-errors.jsonl")
    assert [message.text for message in session.humans()] == ["fix the type errors in src/index.ts"]
    assert tools(session) == {"shell": 3}
    outcomes = [event for event in session.events if isinstance(event, Outcome)]
    assert [outcome.call_id for outcome in outcomes] == ["call_err1", "call_err2", "call_ok1"]
    assert outcomes[2].exit_code == 0 and outcomes[2].status == "ok"
    # The second printed an error and still left with 0.
    assert [(outcome.status, outcome.exit_code) for outcome in outcomes[:2]] == [("failed", 1), ("ok", 0)]


def test_codex_in_which_nobody_speaks(transcripts: Path) -> None:
    session = load(transcripts, "codex-3-skills.jsonl")
    assert list(session.humans()) == []
    assert tools(session) == {"exec_command": 3, "read_file": 1}
    assert (session.tokens.input, session.tokens.output) == (1000, 500)


def test_pi(transcripts: Path) -> None:
    session = load(transcripts, "pi-1.jsonl")
    typed = humans(session)
    assert len(typed) == 88
    # The first eight, then the longest three.
    assert typed[:8] == [5, 221, 108, 87, 163, 165, 83, 8]
    assert sorted(typed)[-3:] == [1279, 1791, 1979]
    assert tools(session) == {"bash": 192, "edit": 146, "read": 50, "write": 3}
    assert sum(isinstance(event, Interrupt) for event in session.events) == 21
    # Lines of results with isError; the rest went well.
    outcomes = [event for event in session.events if isinstance(event, Outcome)]
    assert len(outcomes) == 373
    assert sum(outcome.status in ("failed", "aborted", "rejected") for outcome in outcomes) == 19
    assert session.tokens.output == 83156
    # What was read from the cache, written to it, and neither.
    assert session.tokens.input == 43229469 + 4296232 + 1049
    assert session.tokens.cached == 43229469


def test_opencode_of_one_command(transcripts: Path) -> None:
    session = load(transcripts, "opencode-1.json")
    # One message: the body of `/implement-plan`, its title the name in its own examples. The one mention stands at unit
    # 16 of what was typed, which is right behind that name. Four more texts in it are marked as synthetic.
    assert humans(session) == []
    typed = "@thoughts/taras/plans/2026-03-05-pi-mono-provider-implementation-plan.md"
    assert [(m.command, m.text) for m in session.humans()] == [("/implement-plan", typed)]
    assert tools(session) == {"skill": 2, "bash": 1, "grep": 4, "glob": 9, "read": 15, "task": 1, "todowrite": 1}
    assert (session.tokens.output, session.tokens.reasoning) == (5566, 3996)


def test_opencode_with_answers(transcripts: Path) -> None:
    session = load(transcripts, "opencode-2.json")
    # The first is the body of `/create-plan` with a mention behind the name; the last of `/file-review` with nothing.
    assert humans(session) == [260]
    commands = [(message.command, len(message.text)) for message in session.humans() if message.channel == "command"]
    assert commands == [("/create-plan", 64)]
    # Two calls of the tool `question`: one question, then three.
    answers = [message.text for message in session.humans() if message.channel == "answer"]
    assert "New pi plan (Recommended)" in answers[0]
    assert sum(text.count("Apply edit (Recommended)") for text in answers) == 3
    assert tools(session) == {"skill": 3, "read": 8, "apply_patch": 5, "task": 3, "question": 2, "bash": 2, "grep": 2}
    assert sum(event.status == "failed" for event in session.events if isinstance(event, Outcome)) == 1
    assert (session.tokens.output, session.tokens.reasoning) == (18818, 5379)


def test_opencode_of_a_subagent(transcripts: Path) -> None:
    session = load(transcripts, "opencode-3-subagent.json")
    assert session.origin.parent == "ses_34062dd03ffeQDqACw1NliCDjE"
    assert list(session.humans()) == []  # its prompt was written by the agent that started it
    assert tools(session) == {"skill": 2, "bash": 2, "read": 10, "glob": 1, "grep": 1}
