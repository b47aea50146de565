"""Gemini CLI's chats: what later lines change, who said what, and what was done."""

import json
from pathlib import Path

import pytest

from swe_together.pipeline.sessions import Call, Interrupt, Notice, Outcome, Reply, Session, Tokens, read_sessions
from tests.pipeline.sessions.gemini_chat import FOLDER, GeminiWriter, call

FILES = "\n--- Content from referenced files ---\nContent from @whistle.py:\nLIMIT = 80\n--- End of content ---"
STEERING = "User steering update:\n<user_input>\nnot above 99\n</user_input>\nInternal instruction: Re-evaluate."


def read(log: GeminiWriter, folder: Path) -> Session:
    [session] = read_sessions(log.write(folder / "session-1.jsonl"))
    return session


def said(session: Session) -> list[tuple[str, str]]:
    return [(human.channel, human.text) for human in session.humans()]


def outcomes(session: Session) -> list[Outcome]:
    return [event for event in session.events if isinstance(event, Outcome)]


def notices(session: Session) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in session.events if isinstance(event, Notice)]


@pytest.mark.parametrize("lines", [True, False])
def test_a_whole_session(tmp_path: Path, lines: bool) -> None:
    log = GeminiWriter()
    log.user("<session_context>\nToday is Sunday.\n</session_context>")
    log.user("the kettle whistles too early")
    diff = {
        "fileDiff": "-80\n+99",
        "fileName": "whistle.py",
        "originalContent": "LIMIT = 80\n",
        "newContent": "LIMIT = 99\n",
        "diffStat": {"model_added_lines": 1, "user_added_lines": 0},
    }
    log.says(
        "I'll raise it.",
        call("c1", "read_file", "LIMIT = 80", file_path=f"{FOLDER}/src/whistle.py"),
        call("c2", "replace", "Successfully modified.", display=diff, file_path=f"{FOLDER}/src/whistle.py"),
        call("c3", "run_shell_command", "Output: 1 failed\nExit Code: 1\nProcess Group PGID: 7", command="pytest -q"),
        call("c4", "run_shell_command", "Output: src\nProcess Group PGID: 7", command="ls"),
    )
    log.message("info", "Request cancelled.")
    path = log.write(tmp_path / "a.jsonl") if lines else log.write_document(tmp_path / "a.json")
    [session] = read_sessions(path)
    assert said(session) == [("typed", "the kettle whistles too early")]
    assert [kind for kind, _ in notices(session)] == ["context"]
    assert [event.text for event in session.events if isinstance(event, Reply)] == ["I'll raise it."]
    calls = [event for event in session.events if isinstance(event, Call)]
    assert [(one.action, one.path, one.command) for one in calls] == [
        ("read", f"{FOLDER}/src/whistle.py", None),
        ("edit", f"{FOLDER}/src/whistle.py", None),
        ("run", None, "pytest -q"),
        ("run", None, "ls"),
    ]
    assert [(one.status, one.exit_code, one.before, one.after, one.user_modified) for one in outcomes(session)] == [
        ("ok", None, None, None, False),
        ("ok", None, "LIMIT = 80\n", "LIMIT = 99\n", False),
        ("failed", 1, None, None, False),
        ("ok", 0, None, None, False),
    ]
    assert isinstance(session.events[-1], Interrupt)
    origin = session.origin
    assert (origin.session_id, origin.parent, origin.cwd, origin.models) == ("6e31", None, FOLDER, ("gemini-x",))
    assert session.tokens == Tokens(input=123, cached=100, output=9, reasoning=2)


def test_a_later_line_with_the_same_id_takes_the_place_of_the_earlier(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("one")
    first = log.says("I'll look.", tokens=None)
    log.user("two")
    log.records.append({**first, "toolCalls": [call("c1", "glob", "none")], "tokens": {"input": 5, "output": 1}})
    session = read(log, tmp_path)
    assert [type(event).__name__ for event in session.events] == ["Human", "Reply", "Call", "Outcome", "Human"]
    assert (session.tokens.input, session.tokens.output) == (5, 1)


def test_what_was_rewound_is_left_out_but_its_tokens_were_spent(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("one")
    log.says("Yes.")
    gone = log.user("two, which was a mistake")
    log.says("", call("c1", "run_shell_command", "Output: gone", command="rm -r src"))
    log.record(**{"$rewindTo": gone["id"]})
    log.user("two, better")
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one"), ("typed", "two, better")]
    assert not outcomes(session)
    assert notices(session) == [("other", "messages taken back: 1")]
    assert session.tokens.output == 18


def test_a_rewind_to_a_message_whose_line_is_broken_takes_nothing_back(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("one")
    log.record(**{"$rewindTo": "m9"})
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one")]
    assert [problem.record for problem in session.problems] == [3]


def test_a_history_that_was_compressed_loses_none_of_the_persons_words(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("one")
    log.says("Yes.")
    kept = log.user("two")
    summary = {"id": "s1", "type": "user", "content": [{"text": "<state_snapshot>\nboiled\n</state_snapshot>"}]}
    masked = {**kept, "content": [{"text": "tw…"}]}
    renamed = {"id": "s2", "type": "user", "content": [{"text": "one"}]}
    log.record(**{"$set": {"messages": [summary, renamed, masked], "lastUpdated": "2026-03-01T10:00:00Z"}})
    log.user("three")
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one"), ("typed", "two"), ("typed", "three")]
    assert [kind for kind, _ in notices(session)] == ["summary"]


@pytest.mark.parametrize(
    ("text", "channel", "typed", "kinds"),
    [
        (f"explain @whistle.py{FILES}", "typed", "explain @whistle.py", ["context"]),
        ("/home/ada/kettle/src is empty, why?", "typed", "/home/ada/kettle/src is empty, why?", []),
        ("/brew:tea without sugar", "command", "without sugar", []),
        ("/memory add tea is good", None, "", ["local-command"]),
        ("/clear", None, "", ["local-command"]),
        ("?", None, "", ["local-command"]),
        ("<hook_context>\nfrom a hook\n</hook_context>", None, "", ["context"]),
        ("I ran the following shell command:\n```sh\nls\n```\n\nThis produced …", None, "", ["shell"]),
        ("Please continue.", None, "", ["synthetic"]),
        (STEERING, "queued", "not above 99", []),
        ("User hints:\n<user_input>\n- one\n- two\n</user_input>\n\nInternal instruction: x", "queued", "one\ntwo", []),
    ],
)
def test_what_was_typed(tmp_path: Path, text: str, channel: str | None, typed: str, kinds: list[str]) -> None:
    log = GeminiWriter()
    log.user(text)
    session = read(log, tmp_path)
    assert said(session) == ([(channel, typed)] if channel else [])
    assert [kind for kind, _ in notices(session)] == kinds


def test_the_command_that_its_arguments_were_given_to(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("/brew:tea without sugar")
    assert [human.command for human in read(log, tmp_path).humans()] == ["/brew:tea"]


def test_what_was_shown_is_what_was_typed(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("the whole text of a prompt file", displayContent=[{"text": "brew some tea"}])
    session = read(log, tmp_path)
    assert said(session) == [("typed", "brew some tea")]
    assert notices(session) == [("context", "the whole text of a prompt file")]


def test_a_message_that_passes_results_on_holds_at_most_what_was_typed_meanwhile(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("one")
    log.message("gemini", [{"functionCall": {"id": "c1", "name": "glob", "args": {}}}, {"text": "hm", "thought": True}])
    response = {"functionResponse": {"id": "c1", "name": "glob", "response": {"output": "src"}}}
    log.message("user", [{"text": STEERING}, response, {"text": "LIMIT = 80"}])
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one"), ("queued", "not above 99")]
    assert [(one.call_id, one.text) for one in outcomes(session)] == [("c1", "src")]
    assert notices(session) == [("other", "LIMIT = 80")]
    assert not [event for event in session.events if isinstance(event, Reply)]


def test_answers_and_the_reason_of_a_refusal_are_the_persons_words(tmp_path: Path) -> None:
    rejected = "Plan rejected. User feedback: no sugar\n\nThe plan is stored at: /p.md\nRevise the plan."
    log = GeminiWriter()
    log.says(
        "",
        call("c1", "ask_user", json.dumps({"answers": {"0": "tea", "1": "hot"}}), questions=[]),
        call("c2", "exit_plan_mode", rejected, plan_path="/p.md"),
        call("c3", "exit_plan_mode", "Plan rejected. No feedback provided.\n\nThe plan is stored at: /p.md"),
        call("c4", "replace", "[Operation Cancelled] Reason: User did not allow tool call", "cancelled"),
        call("c5", "replace", "[Operation Cancelled] Reason: User cancelled tool execution.", "cancelled"),
        call("c6", "replace", "0 occurrences found", "error"),
        call("c7", "replace", "", "executing"),
    )
    session = read(log, tmp_path)
    assert said(session) == [("answer", "tea\nhot"), ("rejection", "no sugar")]
    assert [one.status for one in outcomes(session)] == ["ok", "rejected", "rejected", "rejected", "aborted", "failed"]


def test_a_change_that_the_person_changed(tmp_path: Path) -> None:
    shown = {"newContent": "B", "originalContent": None, "diffStat": {"user_added_lines": 2}}
    log = GeminiWriter()
    log.says("", call("c1", "write_file", "Overwritten.", display=shown, file_path="/a.py", content="A"))
    [outcome] = outcomes(read(log, tmp_path))
    assert (outcome.before, outcome.after, outcome.user_modified) == (None, "B", True)


def test_nobody_types_in_a_subagents_chat(tmp_path: Path) -> None:
    log = GeminiWriter("5ub", kind="subagent")
    log.user("look into it")
    folder = tmp_path / "chats" / "6e31"
    folder.mkdir(parents=True)
    session = read(log, folder)
    assert (session.origin.session_id, session.origin.parent) == ("5ub", "6e31")
    assert notices(session) == [("synthetic", "look into it")]


def test_the_folder_is_found_beside_the_chats_where_no_path_gives_it(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("one")
    (tmp_path / "chats").mkdir()
    (tmp_path / ".project_root").write_text("/home/ada/other\n")
    assert read(log, tmp_path / "chats").origin.cwd == "/home/ada/other"
    log.meta["directories"] = [FOLDER]
    assert read(log, tmp_path / "chats").origin.cwd == FOLDER


def test_a_windows_folder(tmp_path: Path) -> None:
    import hashlib

    log = GeminiWriter(projectHash=hashlib.sha256(rb"C:\kettle").hexdigest())
    log.says("", call("c1", "read_file", "x", file_path=r"C:\kettle\src\whistle.py"))
    assert read(log, tmp_path).origin.cwd == r"C:\kettle"


def test_broken_lines_are_reported_with_their_number_and_skipped(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("one")
    log.says("Yes.", {"id": "c1", "args": {}})
    path = log.write(tmp_path / "session-1.jsonl")
    lines = path.read_text().splitlines()
    path.write_text("\n".join(['{"sessionId": ', *lines[1:], "[]", '{"later": "kind"}']))
    [session] = read_sessions(path)
    assert said(session) == [("typed", "one")]
    assert sorted(problem.record for problem in session.problems) == [1, 3, 4]


def test_a_document_cut_off_is_no_session_but_a_message_that_is_none_is_passed_over(tmp_path: Path) -> None:
    log = GeminiWriter()
    log.user("one")
    log.records.append("text")  # type: ignore[arg-type]
    path = log.write_document(tmp_path / "session-1.json")
    [session] = read_sessions(path)
    assert said(session) == [("typed", "one")]
    assert [problem.record for problem in session.problems] == [2]
