"""A session and its repository become a draft; what is missing in it is marked, and keeps it from loading."""

import hashlib
import json
import tarfile
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.errors import TaskError
from swe_together.gaps import find_gaps, find_marks
from swe_together.pipeline.base import Repository
from swe_together.pipeline.build import ARCHIVE, Cases, DraftingError, make_plan, rewrite_goals, write_task
from swe_together.pipeline.build._drafter import draft_question
from swe_together.pipeline.fmt import format_task
from swe_together.schema import SimulatorScript
from swe_together.tasks import find_problems, load_task
from tests.pipeline.recorded import (
    AFTER,
    BEFORE,
    FILES,
    TEST,
    Recording,
    at,
    cleared,
    commit,
    git,
    two_turns,
    wordbox,
)

CASES = """from harness import Runner, case, equal


@case(turn=0)
def strips(run: Runner) -> None:
    equal(run.python("import wordbox\\nemit(wordbox.split('a, b'))"), ["a", "b"])
"""


def drafted(recording: Recording, tmp_path: Path, name: str = "words", archive: bool = True) -> Path:
    folder, _ = wordbox(tmp_path / "wordbox")
    task = tmp_path / name
    with Repository(folder) as repository:
        place = task / "environment" / ARCHIVE if archive else None
        plan = make_plan(cleared(recording), repository, name=name, archive=place)
        write_task(task, plan)
        rewrite_goals(task, plan, Cases({0: ["strips"]}, []), "none", "a test")
    return task


def complete(task: Path) -> Path:
    (task / "tests" / "cases.py").write_text(CASES)
    return task


def script(task: Path) -> SimulatorScript:
    return load_task(complete(task)).script


def test_a_draft_loads_once_its_gaps_are_filled_in(tmp_path: Path) -> None:
    task = drafted(two_turns(), tmp_path)
    with pytest.raises(TaskError, match=r"cases\.py: line 5: is still to be written"):
        load_task(task)
    assert [Path(gap.path).name for gap in find_gaps(task)] == ["cases.py"]
    assert find_problems(complete(task)) == []
    bundle = load_task(task)
    assert bundle.instruction == "split() keeps blanks around words, strip them\n"
    assert (bundle.metadata.language, bundle.metadata.license) == ("python", "MIT")
    assert bundle.metadata.provenance == "recorded"
    assert bundle.stages == [0, 1] and bundle.stage_reply(0) == "Blanks are stripped.\n"
    assert bundle.spec == "split() keeps blanks around words, strip them\n\nand split at semicolons too\n"
    assert [message.sha256 for message in bundle.session.messages] == [
        hashlib.sha256(words.encode()).hexdigest() for words in bundle.spec.strip().split("\n\n")
    ]
    assert format_task(task, check=True) == []


def test_follow_ups_become_anchors_with_labels_and_reasons(tmp_path: Path) -> None:
    recording = (
        two_turns().says("no, don't touch the tests").edits("test_wordbox.py", "import", "import", before=None)
        .writes("test_wordbox.py", FILES["test_wordbox.py"]).replies("ok")
        .says("is it fast?").replies("yes").says("add a NOTES.md").writes("NOTES.md", "x\n").replies("done")
    )  # fmt: skip
    task = drafted(recording, tmp_path)
    anchors = script(task).anchors
    assert [anchor.source_turn for anchor in anchors] == [1, 2, 3, 4]
    semicolons, tests, fast, notes = anchors
    assert (semicolons.id, semicolons.message, semicolons.required) == (
        "split-semicolons-too",
        "and split at semicolons too",
        True,
    )
    assert tests.action.value == "redirect" and not tests.required
    assert tests.model_dump(by_alias=True)["condition"] == {"path_changed": "test_wordbox.py"}
    assert tests.expires == fast.id and fast.after == [semicolons.id] and notes.after == [fast.id]
    assert fast.action.value == "question"
    assert notes.model_dump(by_alias=True)["satisfied"] == {"path_exists": "NOTES.md"} and notes.insist is not None
    text = (task / "simulator.md").read_text()
    assert "    # <<review: action redirect, tag correction: its words say that something is wrong>>" in text
    intents = {intent.id: intent.kind.value for intent in load_task(task).intents.intents}
    assert intents == {semicolons.id: "request", tests.id: "correction", fast.id: "question", notes.id: "request"}


def test_a_correction_that_nothing_preceded_has_no_condition(tmp_path: Path) -> None:
    recording = (
        Recording().says("think").replies("ok").says("no, do it").edits("wordbox.py", "text", "t", before=BEFORE)
    )
    (anchor,) = script(drafted(recording.replies("ok"), tmp_path)).anchors
    assert (anchor.action.value, anchor.tags[0].value, anchor.condition) == ("new_requirement", "correction", None)


def test_words_that_are_said_twice_are_one_message(tmp_path: Path) -> None:
    recording = two_turns().says("go on").replies("x").says("Go  on").edits("README.md", "Word", "Ward").replies("y")
    task = drafted(recording, tmp_path)
    bundle = load_task(complete(task))
    assert [anchor.message for anchor in bundle.script.anchors] == ["and split at semicolons too", "go on"]
    assert bundle.stages == [0, 1, 2] and bundle.stage_reply(2) == "y\n"
    assert any("repeats earlier words" in mark.text for mark in find_marks(task))


def test_words_that_read_the_same_once_redacted_are_one_message(tmp_path: Path) -> None:
    recording = two_turns().says("call (212) 346-8917").replies("x").says("call 212-346-8917")
    recording.edits("README.md", "Word", "Ward").replies("y")
    task = drafted(recording, tmp_path)
    assert [anchor.source_turn for anchor in script(task).anchors] == [1, 2]
    assert load_task(task).stages == [0, 1, 2]
    assert "346" not in (task / "simulator.md").read_text()
    with Repository(tmp_path / "wordbox") as repository:
        raw = make_plan(cleared(recording, "all"), repository, name="raw")
    assert len(raw.turns) == 4
    page = draft_question(raw).opening
    assert "## Message 3\n" in page and "346-" not in page


def test_ids_are_short_enough_and_never_the_same(tmp_path: Path) -> None:
    words = "reconfiguration internationaliz deserialisation compartmentaliz"
    recording = two_turns().says(f"{words} one").replies("x").says(f"{words} two").replies("y").says("的").replies("z")
    ids = [anchor.id for anchor in script(drafted(recording, tmp_path)).anchors]
    assert len(set(ids)) == 4 and all(len(one) <= 64 for one in ids) and ids[-1] == "message-4"


def test_the_archive_is_the_base_and_the_same_each_time(tmp_path: Path) -> None:
    one = drafted(two_turns(), tmp_path, "one")
    two = drafted(two_turns(), tmp_path / "again", "one")
    archives = [task / "environment" / ARCHIVE for task in (one, two)]
    assert archives[0].read_bytes() == archives[1].read_bytes()
    with tarfile.open(archives[0]) as archive:
        held = {member.name: archive.extractfile(member).read().decode() for member in archive}  # type: ignore[union-attr]
    assert held == FILES
    source = load_task(complete(one)).metadata.source
    assert source.model_dump()["repository"] == "wordbox"
    text = (one / "environment" / "Dockerfile").read_text()
    assert "ADD repository.tar /workspace/" in text and "STOPSIGNAL SIGKILL" in text


def test_links_modes_and_odd_names_come_through_the_archive(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    (folder / "run me.sh").write_text("#!/bin/sh\n")
    (folder / "run me.sh").chmod(0o755)
    (folder / "ä").symlink_to("run me.sh")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--amend", "--no-edit", "--date", "2026-02-01T00:00:00Z")
    from swe_together.pipeline.build import write_archive

    with Repository(folder) as repository:
        assert write_archive(repository, repository.tree(repository.refs["HEAD"]), 0, tmp_path / "a.tar") == []
    with tarfile.open(tmp_path / "a.tar") as archive:
        assert archive.getmember("ä").linkname == "run me.sh" and archive.getmember("run me.sh").mode == 0o755


def test_a_public_repository_is_fetched_by_its_commit(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    git(folder, "remote", "add", "origin", "git@github.com:some/wordbox.git")
    with Repository(folder) as repository:
        plan = make_plan(cleared(two_turns()), repository, name="words")
    assert plan.source is not None and plan.source.model_dump() == {
        "git": "https://github.com/some/wordbox",
        "commit": first,
    }
    assert f"git fetch -q --depth 1 https://github.com/some/wordbox {first}" in plan.dockerfile


@pytest.mark.parametrize(
    ("url", "public"),
    [
        ("https://github.com/some/wordbox.git", "https://github.com/some/wordbox"),
        ("ssh://git@gitlab.com/some/group/wordbox", "https://gitlab.com/some/group/wordbox"),
        ("ssh://git@host.example.org:2222/some/wordbox", None),
        ("/srv/git/wordbox.git", None),
        ("../wordbox", None),
    ],
)
def test_which_addresses_are_public(tmp_path: Path, url: str, public: str | None) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    git(folder, "remote", "add", "origin", url)
    with Repository(folder) as repository:
        source = make_plan(cleared(two_turns()), repository, name="words").source
    assert (source and source.model_dump()["git"]) == public


def test_nobody_s_session_is_no_material(tmp_path: Path) -> None:
    with pytest.raises(DraftingError, match="nobody says anything"):
        make_plan(cleared(Recording().replies("alone")), None, name="x")


def test_import_needs_nothing_but_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"type": "user", "uuid": "1", "sessionId": "s-1", "cwd": "/w", "timestamp": "2026-03-01T12:00:00Z",
         "message": {"role": "user", "content": "make a list"}},
        {"type": "assistant", "uuid": "2", "parentUuid": "1", "sessionId": "s-1", "timestamp": "2026-03-01T12:01:00Z",
         "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": "Made."}]}},
        {"type": "user", "uuid": "3", "parentUuid": "2", "sessionId": "s-1", "timestamp": "2026-03-01T12:02:00Z",
         "message": {"role": "user", "content": "sort it"}},
    ]  # fmt: skip
    file = tmp_path / "s.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["import", str(file), "-o", str(tmp_path / "My Task")]) == 0
    printed = capsys.readouterr().out
    assert "2 messages, 1 anchors" in printed and "https address of the repository" in printed
    assert (tmp_path / "My Task" / "solution" / "turn-0.md").read_text() == "Made.\n"
    assert {Path(gap.path).name for gap in find_gaps(tmp_path / "My Task")} == {
        "task.toml", "Dockerfile", "rubric.json", "cases.py", "solve.sh",
    }  # fmt: skip
    told = json.loads((tmp_path / "My Task" / "session.json").read_text())
    assert told["recording"] == {
        "format": "claude-code", "session_id": "s-1", "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
    }  # fmt: skip
    assert told["messages"][1] == {
        "turn": 1, "chars": 7, "tags": ["request"], "sha256": hashlib.sha256(b"sort it").hexdigest(), "record": 3,
    }  # fmt: skip
    assert main(["import", str(file), "-o", str(tmp_path / "My Task")]) == 2
    assert main(["import", str(tmp_path / "none.jsonl"), "-o", str(tmp_path / "y")]) == 2
    assert main(["import", str(file), "-o", str(tmp_path / "y"), "--base", "x"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_session_in_another_language_is_drafted_in_it(tmp_path: Path) -> None:
    recording = (
        Recording().says("请修复 split()，去掉单词两边的空格")
        .edits("wordbox.py", "text", "t", before=BEFORE).replies("好")
        .says("不对，应该保留空行").edits("wordbox.py", "t", "u", before=None).replies("好")
        .says("请添加 NOTES.md 说明文件").writes("NOTES.md", "x\n").replies("好").says("这样会更快吗？").replies("会")
    )  # fmt: skip
    task = drafted(recording, tmp_path)
    persona = script(task).persona
    assert (persona.language, persona.on_question) == ("zh", "你觉得怎么好就怎么来")
    wrong, notes, fast = script(task).anchors
    assert [anchor.tags[0].value for anchor in (wrong, notes, fast)] == ["correction", "request", "question"]
    assert wrong.action.value == "redirect" and notes.insist is not None and notes.insist.message == "还缺 NOTES.md"
    assert load_task(task).metadata.category == "bugfix"


def test_a_language_without_words_of_ours_is_said_to_be_read(tmp_path: Path) -> None:
    recording = (
        Recording().says("добавь разделение по точке с запятой").edits("wordbox.py", "text", "t", before=BEFORE)
        .replies("готово").says("а это быстро?").replies("да")
    )  # fmt: skip
    task = drafted(recording, tmp_path)
    assert script(task).persona.language == "ru" and script(task).anchors[0].action.value == "question"
    assert any("the session is held in Russian" in mark.text for mark in find_marks(task))
    assert script(drafted(two_turns(), tmp_path / "other")).persona.language == "en"


def test_the_repository_that_a_session_names_is_the_source(tmp_path: Path) -> None:
    sha = "ab" * 20
    plan = make_plan(cleared(two_turns(), repository="quorvex/wordbox", commit=sha), None, name="words")
    assert plan.source is not None
    assert plan.source.model_dump() == {"git": "https://github.com/quorvex/wordbox", "commit": sha}
    assert "<<fill in: tools, the user agent, and the code base (https://github.com/quorvex/wordbox)" in plan.dockerfile
    assert any("nothing says where in it the session began" in one for one in plan.reviews)
    write_task(tmp_path / "a", make_plan(cleared(two_turns(), repository="quorvex/wordbox"), None, name="a"))
    told = (tmp_path / "a" / "task.toml").read_text()
    assert 'git = "https://github.com/quorvex/wordbox", commit = "<<fill in: its commit of 40 digits>>"' in told


def test_an_address_that_was_redacted_is_nobodys(tmp_path: Path) -> None:
    recording = two_turns().runs("ls /home/zorvatek/x")
    plan = make_plan(cleared(recording, repository="zorvatek/wordbox", commit="ab" * 20), None, name="words")
    assert plan.source is None and plan.address is None and "user-" in str(plan.session.origin.repository)


def test_a_clone_of_another_repository_is_told(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    with Repository(folder) as repository:
        plan = make_plan(cleared(two_turns(), repository="quorvex/wordbox"), repository, name="words")
    assert plan.address == "https://github.com/quorvex/wordbox" and "another" not in str(plan.reviews)
    git(folder, "remote", "add", "origin", "https://github.com/Quorvex/wordbox.git")
    with Repository(folder) as repository:
        plan = make_plan(cleared(two_turns(), repository="quorvex/wordbox"), repository, name="words")
        assert not any("the session names" in one for one in plan.reviews)
        plan = make_plan(cleared(two_turns(), repository="quorvex/other"), repository, name="words")
    told = "the clone comes from https://github.com/Quorvex/wordbox, and the session names https://github.com/quorvex/other"
    assert any(told in one for one in plan.reviews) and plan.address == "https://github.com/Quorvex/wordbox"


@pytest.mark.parametrize("held", [True, False])
def test_import_takes_the_clone_that_a_session_was_recorded_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], held: bool
) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    (folder / "src").mkdir()
    call = {"type": "tool_use", "id": "t", "name": "Write",
            "input": {"file_path": f"{folder}/wordbox.py", "content": "x\n"}}  # fmt: skip
    result = {"type": "create", "filePath": f"{folder}/wordbox.py", "originalFile": BEFORE if held else "else\n"}
    common = {"sessionId": "s-1", "cwd": f"{folder}/src"}
    lines = [
        {**common, "type": "user", "uuid": "1", "timestamp": "2026-03-01T12:00:00Z",
         "message": {"role": "user", "content": "make a list"}},
        {**common, "type": "assistant", "uuid": "2", "parentUuid": "1", "timestamp": "2026-03-01T12:01:00Z",
         "message": {"id": "m", "role": "assistant", "content": [call]}},
        {**common, "type": "user", "uuid": "3", "parentUuid": "2", "timestamp": "2026-03-01T12:02:00Z",
         "toolUseResult": result,
         "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]}},
    ]  # fmt: skip
    file = tmp_path / "s.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["import", str(file), "-o", str(tmp_path / "task")]) == 0
    printed = capsys.readouterr().out
    if held:
        assert f"repository: {folder}, in which the session was recorded" in printed
        assert f"base {first[:12]} (time, proven)" in printed
    else:
        assert f"the draft is made without {folder}: No commit of" in printed and "\nbase " not in printed
        assert main(["import", str(file), "-o", str(tmp_path / "more"), "--repo", str(folder)]) == 1


def test_a_file_that_the_person_changed_is_pointed_out(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    sha = commit(folder, {"wordbox.py": AFTER, "test_wordbox.py": TEST, "VERSION": "1.2.0\n"}, at(20), "Better")
    with Repository(folder) as repository:
        recording = two_turns().says("commit").runs("git commit -qm x", f"[main {sha[:7]}] Better")
        write_task(tmp_path / "words", make_plan(cleared(recording), repository, name="words"))
    assert "  * by no edit of the agent: VERSION\n" in (tmp_path / "words" / "README.md").read_text()
    assert any("what the person changed by hand" in mark.text for mark in find_marks(tmp_path / "words"))
