"""What the page holds, that nothing in it can be mistaken for code, and that broken trials cost nobody else."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import MisuseError
from swe_together.report import leaderboard, read_table
from swe_together.report.page import PageWritten, write_page
from swe_together.report.page._html import render
from swe_together.report.page._script import script_json
from swe_together.schema import EndReason
from tests.report.page.hostile import EVIL, write_broken, write_hostile
from tests.support.jobs import Spec, write_job

MIX = ("dataset", "task", "rubric", "simulator", "basis", "judge", "agent")


def page_of(job: Path, output: Path, **options: Any) -> PageWritten:
    table = read_table([job], cache_at=None)
    return write_page(table, leaderboard(table, mix=MIX), output, **options)


def data_in(index: Path) -> Any:
    text = index.read_text(encoding="utf-8")
    [found] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(found)


def side_file(output: Path, number: int) -> Any:
    text = (output / "sessions" / f"{number:05}.js").read_text(encoding="utf-8")
    [(given, key, session)] = re.findall(r'^together\.deliver\((\d+),"(\w+)",(.*)\);\n$', text, re.DOTALL)
    assert (int(given), key) == (number, data_in(output / "index.html")["key"])
    return json.loads(session)


def column(data: Any, name: str) -> list[Any]:
    found = data["trials"]["columns"][name]
    return found if isinstance(found, list) else [None if at is None else found["levels"][at] for at in found["rows"]]


@pytest.mark.parametrize("text", ["</script>", "<!--", "]]>", "\u2028\u2029", "&lt;", "\ud800", EVIL, '"\\"\n\x00'])
def test_no_text_can_end_a_script(text: str) -> None:
    written = script_json({text: [text]})
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written) == {text.replace("\ud800", "\ufffd"): [text.replace("\ud800", "\ufffd")]}
    written.encode()
    with pytest.raises(ValueError, match="not JSON compliant"):
        script_json(float("nan"))


def test_the_policy_lets_in_what_is_in_the_page_and_nothing_else() -> None:
    text = render(script_json({"a": "{{script}} {{policy}}"}), 'a "title" <b>')
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    [script] = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    for part, name in ((style, "style-src"), (script, "script-src")):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "{{script}} {{policy}}" in text, "marks in the data are text like any other"
    assert "<title>a &quot;title&quot; &lt;b&gt;</title>" in text
    assert not re.findall(r"\s(?:on\w+|style)=", re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL))
    outside = [url for url in re.findall(r"(?:https?:)?//[\w.-]+\.\w+", text) if url != "http://www.w3.org"]
    assert outside == []
    for name in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch("):
        assert name not in script


def test_every_trial_is_there_with_what_is_missing_missing(tmp_path: Path) -> None:
    specs = [
        Spec(task="swe-together/a", reward=0.25),
        Spec(task="swe-together/b", minute=1, model="x/other", arm="full-spec", messages=[], coverage=None),
        Spec(task="swe-together/c", minute=2, end=EndReason.SIMULATOR_ERROR),
    ]
    job = write_job(tmp_path / "job", specs, planned=[*specs, Spec(task="swe-together/d", minute=3)])
    written = page_of(job, tmp_path / "page")
    assert (written.sessions, written.failed) == (3, {})
    data = data_in(written.index)
    by_task = dict(zip(column(data, "task"), range(4), strict=True))
    never = column(data, "status").index("not_started")
    place = by_task["swe-together/c"]
    assert column(data, "reward")[by_task["swe-together/a"]] == 0.25
    assert (column(data, "reward")[place], column(data, "status")[place]) == (None, "simulator_error")
    assert never not in data["sessions"], "a trial that never began has no session to open"
    for number in data["sessions"]:
        entry = data["board"]["entries"][column(data, "entry")[number]]
        assert (entry["model"], entry["arm"]) == (column(data, "model")[number], column(data, "arm")[number])
    assert "metrics" in data
    assert data["board"]["entries"][0]["figures"]["pass_at_1"].keys() >= {"value", "low", "high", "n", "missing"}


def test_no_path_of_this_machine_is_in_the_page(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec()])
    page_of(job, tmp_path / "page")
    for file in (tmp_path / "page").rglob("*"):
        assert file.is_dir() or str(tmp_path) not in file.read_text(encoding="utf-8"), file


def test_a_session_with_decisions_goals_and_diff(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec(judge=0.5, judge_model="maker/judge", basis="judge")])
    page_of(job, tmp_path / "page")
    session = side_file(tmp_path / "page", 0)
    assert session["notes"] == []
    assert [turn["number"] for turn in session["turns"]] == [1, 2, 3]
    assert session["turns"][1]["tags"] == ["request"]
    assert session["turns"][1]["kind"] == "anchor"
    assert session["turns"][0]["decision"]["reason"]
    assert session["goals"][0]["goal"]
    assert session["goals"][0]["basis"] == "model"
    assert session["cases"]["total"] == len(session["cases"]["shown"]) > 0
    assert session["coverage"]["intents"]
    assert session["ended"]["how"] == "anchors_exhausted"


def test_without_a_trajectory_the_records_tell_what_was_said(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec()])
    [trajectory] = job.rglob("agent/trajectory.json")
    trajectory.unlink()
    page_of(job, tmp_path / "page")
    session = side_file(tmp_path / "page", 0)
    assert session["notes"] == ["there is no agent/trajectory.json"]
    assert [turn["message"] for turn in session["turns"]] == ["please do one", "message 1", "message 2"]
    assert session["turns"][0]["steps"][0]["text"]


def test_goals_have_the_words_of_the_task(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec(judge=0.5, judge_model="maker/judge", basis="judge")])
    [config] = job.glob("*__*/config.json")
    goal = side_goal(tmp_path, job)
    assert goal["text"] == ""
    task = tmp_path / "tasks" / json.loads(config.read_text())["task"]["path"].rpartition("/")[2]
    task.mkdir(parents=True)
    rubric = {
        "provenance": {"author": "a", "sources": ["s"], "frozen": "2026-01-01"},
        "goals": [{"id": goal["goal"], "text": "It <b>works</b>.", "weight": 1, "tier": "core", "evidence": "state"}],
    }
    (task / "rubric.json").write_text(json.dumps(rubric))
    page_of(job, tmp_path / "page", tasks=tmp_path / "tasks")
    session = side_file(tmp_path / "page", 0)
    assert session["goals"][0]["text"] == "It <b>works</b>."
    assert any("rubric has changed" in note for note in session["notes"]), "the judge had other goals"


def side_goal(folder: Path, job: Path) -> Any:
    page_of(job, folder / "page")
    return side_file(folder / "page", 0)["goals"][0]


def test_hostile_and_broken_trials_are_said_and_cost_no_other(tmp_path: Path) -> None:
    job = write_hostile(tmp_path)
    write_broken(job)
    written = page_of(job, tmp_path / "page")
    assert written.failed == {}
    data = data_in(written.index)
    notes = {
        column(data, "trial")[number].partition("__")[0]: "\n".join(side_file(tmp_path / "page", number)["notes"])
        for number in data["sessions"]
    }
    for name, words in (
        ("half", "agent/trajectory.json is no JSON"), ("half", "decisions.jsonl: line"), ("half", "behaviour.json"),
        ("link", "symbolic link"), ("pipe", "no regular file"), ("large", "100,000,000 bytes"), ("deep", "no JSON"),
    ):  # fmt: skip
        assert words in notes[name], (name, notes[name])
    for file in (tmp_path / "page").rglob("*.*"):
        text = file.read_text(encoding="utf-8")
        assert "the secret of this machine" not in text
        assert "window.hacked=1</script>" not in text
        if file.suffix == ".js":
            assert "<" not in text
            assert text.count("\n") == 1


def test_a_session_that_breaks_the_program_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import swe_together.report.page._side_files as side_files

    whole = side_files.session_of

    def broken(folder: Path, rubric: Any) -> Any:
        if folder.name.startswith("a__"):
            raise RuntimeError("no idea")
        return whole(folder, rubric)

    monkeypatch.setattr(side_files, "session_of", broken)
    job = write_job(tmp_path / "job", [Spec(task="swe-together/a"), Spec(task="swe-together/b", minute=1)])
    written = page_of(job, tmp_path / "page")
    assert list(written.failed.values()) == ["RuntimeError: no idea"]
    shown = [side_file(tmp_path / "page", number) for number in (0, 1)]
    assert sorted(len(session["turns"]) for session in shown) == [0, 3]
    assert "this session can't be shown: RuntimeError: no idea" in str(shown)


def test_several_processes_write_the_same(tmp_path: Path) -> None:
    specs = [Spec(task=f"swe-together/t{number}", minute=number) for number in range(45)]
    job = write_job(tmp_path / "job", specs)
    seen: list[tuple[int, int]] = []
    page_of(job, tmp_path / "one", workers=1)
    page_of(job, tmp_path / "two", workers=2, progress=lambda done, all_: seen.append((done, all_)))
    one, two = ({file.name: file.read_bytes() for file in (tmp_path / name).rglob("*.*")} for name in ("one", "two"))
    assert one == two
    assert len(one) == 46
    assert seen[-1] == (45, 45)


def test_an_earlier_page_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    specs = [Spec(task=f"swe-together/t{number}", minute=number) for number in range(3)]
    page_of(write_job(tmp_path / "three", specs), tmp_path / "page")
    (tmp_path / "page/sessions/notes.txt").write_text("mine")
    page_of(write_job(tmp_path / "one", specs[:1]), tmp_path / "page")
    assert sorted(file.name for file in (tmp_path / "page/sessions").iterdir()) == ["00000.js", "notes.txt"]
    (tmp_path / "page/index.html").unlink()
    page_of(tmp_path / "one", tmp_path / "page")  # what an interrupted run leaves
    (tmp_path / "other").mkdir()
    (tmp_path / "other/index.html").write_text("<title>mine</title>")
    with pytest.raises(MisuseError, match="something else"):
        page_of(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "other/index.html").read_text() == "<title>mine</title>"


def test_the_page_stays_small(tmp_path: Path) -> None:
    specs = [
        replace(Spec(), task=f"swe-together/task-{number % 43:03}", model=f"maker/model-{number // 43}", minute=number)
        for number in range(130)
    ]
    written = page_of(write_job(tmp_path / "job", specs), tmp_path / "page", workers=1)
    without = page_of(write_job(tmp_path / "small", specs[:3]), tmp_path / "small-page")
    assert (written.page_bytes - without.page_bytes) / 127 < 600, "bytes of the page for one more trial"
