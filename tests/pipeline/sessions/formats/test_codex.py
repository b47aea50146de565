"""Codex's rollouts: who said what, and what was done."""

import json
from pathlib import Path

import pytest

from swe_together.pipeline.sessions import Call, Interrupt, Notice, Outcome, Reply, Session, Tokens, read_sessions
from tests.pipeline.sessions.codex_log import PATCH, CodexWriter

AGENTS = "# AGENTS.md instructions for /home/ada/kettle\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>"
ENVIRONMENT = "<environment_context>\n  <cwd>/home/ada/kettle</cwd>\n</environment_context>"


def read(log: CodexWriter, folder: Path) -> Session:
    [session] = read_sessions(log.write(folder / "rollout-1.jsonl"))
    return session


def said(session: Session) -> list[tuple[str, str]]:
    return [(human.channel, human.text) for human in session.humans()]


def outcomes(session: Session) -> list[Outcome]:
    return [event for event in session.events if isinstance(event, Outcome)]


def calls(session: Session) -> list[Call]:
    return [event for event in session.events if isinstance(event, Call)]


def notices(session: Session) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in session.events if isinstance(event, Notice)]


def test_a_whole_session(tmp_path: Path) -> None:
    log = CodexWriter()
    log.got(AGENTS)
    log.got(ENVIRONMENT)
    log.turn("the kettle whistles too early\n")
    log.calls("shell", "c1", command=["bash", "-lc", "cat src/whistle.py"])
    log.ran("c1", "LIMIT = 80")
    log.says("I'll raise it.")
    log.patches("c2")
    log.result("c2", '{"output":"Success. Updated the following files:\\nM src/whistle.py","metadata":{"exit_code":0}}')
    log.ends()
    log.turn("run the tests")
    log.calls("exec_command", "c3", cmd="pytest -q")
    log.result("c3", "Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 1\nOutput:\n1 failed", custom=False)
    log.says("One fails.")
    log.ends()
    session = read(log, tmp_path)
    assert said(session) == [("typed", "the kettle whistles too early\n"), ("typed", "run the tests")]
    assert notices(session) == [("context", AGENTS), ("context", ENVIRONMENT)]
    assert [event.text for event in session.events if isinstance(event, Reply)] == ["I'll raise it.", "One fails."]
    assert [(call.action, call.path, call.command) for call in calls(session)] == [
        ("run", None, "cat src/whistle.py"),
        ("patch", "src/whistle.py", None),
        ("run", None, "pytest -q"),
    ]
    assert [(one.call_id, one.status, one.exit_code) for one in outcomes(session)] == [
        ("c1", "ok", 0),
        ("c2", "ok", 0),
        ("c3", "failed", 1),
    ]
    origin = session.origin
    assert (origin.session_id, origin.parent, origin.version) == ("0c0d", None, "0.99.0")
    assert (origin.cwd, origin.branch, origin.commit) == ("/home/ada/kettle", "main", "c0ffee")
    assert (origin.repository, origin.models) == ("https://example.org/kettle.git", ("gpt-x",))
    assert session.problems == ()


def test_without_events_messages_are_the_items_that_no_program_wrote(tmp_path: Path) -> None:
    log = CodexWriter()
    for text in (AGENTS, ENVIRONMENT, "<user_instructions>\nBe brief.\n</user_instructions>", "whistle later"):
        log.got(text)
    log.got("<subagent_notification>\ndone\n</subagent_notification>")
    log.got("<some_new_tag>\nof a later version\n</some_new_tag>")
    log.item("message", role="developer", content=[{"type": "input_text", "text": "you are allowed"}])
    log.item("message", role="assistant", content=[{"type": "output_text", "text": "Yes."}])
    session = read(log, tmp_path)
    assert said(session) == [("typed", "whistle later")]
    assert [kind for kind, _ in notices(session)] == ["context", "context", "context", "notification", "other"]
    assert [event.text for event in session.events if isinstance(event, Reply)] == ["Yes."]


def test_a_message_whose_event_is_lost_in_a_broken_line_is_told_by_its_item(tmp_path: Path) -> None:
    log = CodexWriter()
    log.got(AGENTS)
    log.turn("one")
    log.ends()
    log.turn("two")
    log.ends()
    path = log.write(tmp_path / "rollout-1.jsonl")
    lines = path.read_text().splitlines()
    [broken] = [place for place, line in enumerate(lines) if "user_message" in line and '"one"' in line]
    lines[broken] = lines[broken][:-20]
    path.write_text("\n".join(lines))
    [session] = read_sessions(path)
    assert said(session) == [("typed", "one"), ("typed", "two")]
    assert [problem.record for problem in session.problems] == [broken + 1]


def test_what_an_item_alone_has_is_no_message_where_no_line_is_broken(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("one")
    log.got("a text that a later version puts there")
    assert said(read(log, tmp_path)) == [("typed", "one")]


def test_a_second_message_in_a_turn_was_typed_while_the_agent_worked(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("raise the limit")
    log.user("and keep the name")
    log.ends()
    log.turn("thanks")
    assert said(read(log, tmp_path)) == [
        ("typed", "raise the limit"),
        ("queued", "and keep the name"),
        ("typed", "thanks"),
    ]


def test_without_turns_marked_nothing_passes_for_queued(tmp_path: Path) -> None:
    log = CodexWriter()
    log.user("one")
    log.user("two")
    assert said(read(log, tmp_path)) == [("typed", "one"), ("typed", "two")]


def test_answers_are_the_persons_words(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("raise the limit")
    log.calls("request_user_input", "c1", questions=[{"id": "q1", "question": "To what?"}])
    log.result("c1", json.dumps({"answers": {"q1": {"answers": ["99 (Recommended)", "user_note: not a degree more"]}}}))
    assert said(read(log, tmp_path))[1:] == [("answer", "99 (Recommended)\nnot a degree more")]


def test_what_an_editor_adds_is_no_part_of_a_message(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("# Context from my IDE setup:\n\n## Active file: whistle.py\n\n## My request for Codex:\nraise it\n")
    session = read(log, tmp_path)
    assert said(session) == [("typed", "raise it")]
    assert [kind for kind, _ in notices(session)] == ["context"]


def test_instructions_that_old_versions_told_by_the_same_event(tmp_path: Path) -> None:
    log = CodexWriter()
    log.event("user_message", message="Be brief.", kind="user_instructions")
    log.event("user_message", message="one", kind="plain", images=["data:image/png;base64,AA"])
    [human] = read(log, tmp_path).humans()
    assert (human.text, human.images) == ("one", 1)


def test_images_among_the_items_that_the_model_got(tmp_path: Path) -> None:
    log = CodexWriter()
    image = {"type": "input_image", "image_url": "data:image/png;base64,AA"}
    shown = [
        {"type": "input_text", "text": "<image name=[Image #1]>"},
        image,
        {"type": "input_text", "text": "</image>"},
    ]
    log.item("message", role="user", content=[{"type": "input_text", "text": "look"}, *shown])
    log.item("message", role="user", content=[image])
    session = read(log, tmp_path)
    assert [(human.text, human.images) for human in session.humans()] == [("look", 1)]
    assert notices(session)[-1] == ("other", "[image]")


def test_without_a_header_the_folder_is_that_of_the_turns(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("one")
    del log.records[0]
    session = read(log, tmp_path)
    assert (session.origin.cwd, session.origin.session_id) == ("/home/ada/kettle", "rollout-1")


def test_a_review_by_the_persons_own_words(tmp_path: Path) -> None:
    log = CodexWriter()
    log.event("entered_review_mode", target={"type": "custom", "instructions": "look at the limit"})
    log.event("entered_review_mode", target={"type": "uncommittedChanges"})
    [human] = read(log, tmp_path).humans()
    assert (human.channel, human.command, human.text) == ("command", "/review", "look at the limit")


def test_a_command_that_the_person_ran_is_no_message(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("one")
    log.got("<user_shell_command>\n<command>\nls\n</command>\n<result>\nOutput:\nsrc\n</result>\n</user_shell_command>")
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one")]
    assert [kind for kind, _ in notices(session)] == ["shell"]


@pytest.mark.parametrize(("reason", "stops"), [("interrupted", 1), ("replaced", 1), ("review_ended", 0)])
def test_a_stop_is_an_interrupt_once(tmp_path: Path, reason: str, stops: int) -> None:
    log = CodexWriter()
    log.turn("one")
    log.got("<turn_aborted>\nThe user interrupted.\n</turn_aborted>")
    log.event("turn_aborted", reason=reason)
    session = read(log, tmp_path)
    told = [event for event in session.events if isinstance(event, Interrupt)]
    # The marker that the model got counts where no event tells of a stop.
    assert len(told) == max(stops, 1)
    assert said(session) == [("typed", "one")]


def test_turns_that_were_taken_back_are_left_out(tmp_path: Path) -> None:
    log = CodexWriter()
    for text in ("one", "two", "three"):
        log.turn(text)
        log.calls("shell", f"c-{text}", command=["ls"])
        log.ran(f"c-{text}", "src")
        log.ends()
    log.event("thread_rolled_back", num_turns=2)
    log.turn("two again")
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one"), ("typed", "two again")]
    assert [call.call_id for call in calls(session)] == ["c-one"]
    assert notices(session) == [("other", "turns taken back: 2")]


@pytest.mark.parametrize(
    ("output", "status", "code"),
    [
        ("exec command rejected by user", "rejected", None),
        ('execution error: Rejected("rejected by user")', "rejected", None),
        ("aborted by user after 3.2s", "aborted", None),
        ("Exit code: 2\nWall time: 0 seconds\nOutput:\nno", "failed", 2),
        ({"content": "fine", "success": True}, "ok", None),
        ([{"type": "input_text", "text": "an image came back"}], None, None),
        ("the file says\nExit code: 7\nand more", None, None),
        ('{"output": "no metadata"}', None, None),
    ],
)
def test_what_an_output_says_of_itself(tmp_path: Path, output: object, status: str | None, code: int | None) -> None:
    log = CodexWriter()
    log.calls("shell", "c1", command=["make"])
    log.result("c1", output)
    [outcome] = outcomes(read(log, tmp_path))
    assert (outcome.status, outcome.exit_code) == (status, code)


def test_a_patch_inside_a_shell_command_names_its_file(tmp_path: Path) -> None:
    log = CodexWriter()
    log.calls("shell", "c1", command=["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}EOF"])
    [call] = calls(read(log, tmp_path))
    assert (call.action, call.path) == ("patch", "src/whistle.py")
    assert call.command is not None and call.command.startswith("apply_patch <<'EOF'")


def test_an_event_tells_what_the_output_does_not(tmp_path: Path) -> None:
    log = CodexWriter()
    log.patches("c1")
    log.event("patch_apply_end", call_id="c1", success=True, changes={"a.py": {"type": "add", "content": "A = 1\n"}})
    log.result("c1", "Done!", custom=True)
    log.patches("c2")
    log.event("patch_apply_end", call_id="c2", success=True, changes={"a.py": {"delete": {"content": "A = 1\n"}}})
    log.result("c2", "Done!", custom=True)
    first, second = outcomes(read(log, tmp_path))
    assert (first.status, first.before, first.after) == ("ok", None, "A = 1\n")
    assert (second.before, second.after) == ("A = 1\n", None)


@pytest.mark.parametrize(
    ("counts", "input", "output"),
    [
        ([(10, 1), (30, 4), (30, 4)], 30, 4),
        # A version that began to count anew when the session was resumed.
        ([(10, 1), (30, 4), (5, 2), (9, 3)], 39, 7),
    ],
)
def test_tokens_are_the_last_of_counts_that_grow(
    tmp_path: Path, counts: list[tuple[int, int]], input: int, output: int
) -> None:
    log = CodexWriter()
    log.turn("one")
    log.event("token_count", info=None)
    for read_tokens, written in counts:
        log.tokens(read_tokens, written)
    assert read(log, tmp_path).tokens == Tokens(input=input, cached=0, output=output, reasoning=0)


def test_tokens_that_are_not_recorded_are_none(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("one")
    assert read(log, tmp_path).tokens == Tokens()


def test_a_summary_is_none_of_the_persons_words_and_its_history_is_not_read_again(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("one")
    kept = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "one"}]}
    log.record("compacted", message="We raised the limit.", replacement_history=[kept])
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one")]
    assert notices(session) == [("summary", "We raised the limit.")]


@pytest.mark.parametrize(
    ("meta", "parent"),
    [
        ({"source": {"subagent": {"thread_spawn": {"parent_thread_id": "0c0d", "depth": 1}}}}, "0c0d"),
        ({"source": {"subagent": "review"}}, "review"),
        ({"thread_source": "subagent", "forked_from_id": "0c0d"}, "0c0d"),
        ({"thread_source": "subagent"}, "not recorded"),
    ],
)
def test_nobody_types_in_a_subagents_thread(tmp_path: Path, meta: dict[str, object], parent: str) -> None:
    log = CodexWriter("5ub", **meta)
    log.turn("review the limit")
    session = read(log, tmp_path)
    assert session.origin.parent == parent
    assert said(session) == []
    assert notices(session) == [("synthetic", "review the limit")]


def test_a_fork_is_the_persons_and_keeps_its_own_header(tmp_path: Path) -> None:
    log = CodexWriter("f04c", forked_from_id="0c0d")
    log.record("session_meta", id="0c0d", cwd="/elsewhere")
    log.turn("one")
    session = read(log, tmp_path)
    assert (session.origin.session_id, session.origin.parent) == ("f04c", None)
    assert session.origin.cwd == "/home/ada/kettle"


def test_the_first_versions_wrote_bare_items(tmp_path: Path) -> None:
    header = {"id": "01d", "timestamp": "2026-03-01T09:00:00Z", "instructions": None, "git": {"branch": "old"}}
    items = [
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]},
        {"type": "function_call", "name": "shell", "call_id": "c1", "arguments": '{"command":["ls"]}'},
        {"type": "function_call_output", "call_id": "c1", "output": '{"output":"src","metadata":{"exit_code":0}}'},
    ]
    path = tmp_path / "rollout-1.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in [header, *items]))
    [session] = read_sessions(path)
    assert (session.origin.session_id, session.origin.branch) == ("01d", "old")
    # Nothing tells a repetition from the same words said twice.
    assert said(session) == [("typed", "go on"), ("typed", "go on")]
    assert [one.exit_code for one in outcomes(session)] == [0]
    path = tmp_path / "rollout-1.json"
    path.write_text(json.dumps({"session": {"id": "01d", "timestamp": header["timestamp"]}, "items": items}, indent=2))
    [session] = read_sessions(path)
    assert said(session) == [("typed", "go on"), ("typed", "go on")]


def test_broken_lines_are_reported_with_their_number_and_skipped(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("one")
    log.records.append({"timestamp": "2026-03-01T10:00:00Z", "type": "event_msg", "payload": 7})
    log.item("function_call", name="shell", arguments="{}")
    log.records.append({"type": "a_later_kind", "payload": None})
    path = log.write(tmp_path / "rollout-1.jsonl")
    path.write_text(path.read_text() + '["a list"]\nno json\n')
    [session] = read_sessions(path)
    assert [problem.record for problem in session.problems] == [6, 7, 9, 10]
    assert said(session) == [("typed", "one")]


def test_a_record_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    log = CodexWriter()
    log.turn("one")
    log.calls("shell", "c1", command=["ls"])
    log.ran("c1", "src")
    log.says("Yes.")
    log.tokens(10, 1)
    log.event("turn_aborted", reason="interrupted")
    once = read(log, tmp_path)
    log.records = [record for record in log.records for _ in range(2)]
    twice = read(log, tmp_path)
    assert [type(event) for event in twice.events] == [type(event) for event in once.events]
    assert (said(twice), twice.tokens) == (said(once), once.tokens)
