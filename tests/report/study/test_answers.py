"""Answers are written down once, whole, for good."""

import json
import os
import threading
import uuid
from pathlib import Path
from typing import Any

import pytest

from swe_together.report.study import OpenStudy, RefusedError, prepare, read_answers
from tests.report.study.sessions import goals, sessions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    real, simulated = sessions(tmp_path, 5)
    prepare(real, simulated, tmp_path / "study", seed=1, labels=["messages", "goals"], goals=goals(5))
    return tmp_path / "study"


def of_kind(study: OpenStudy, kind: str) -> str:
    return next(identity for identity, found in study.study.items.items() if found == kind)


def answer(item: str, annotator: str = "anna", **facts: Any) -> dict[str, Any]:
    return {"id": uuid.uuid4().hex, "item": item, "annotator": annotator, "seconds": 1.5, **facts}


def test_an_answer_is_there_again_after_a_restart(folder: Path) -> None:
    study = OpenStudy(folder)
    pair, messages, judged = (of_kind(study, kind) for kind in ("pair", "messages", "goals"))
    study.enter(answer(pair, choice="left", confidence=4))
    study.enter(answer(messages, tags={2: ["request", "question"]}))
    study.enter(answer(judged, goals={"works": True, "tidy": None}))
    given = {item["id"]: item["answer"] for item in OpenStudy(folder).agenda("anna") if item["answer"]}
    assert given[pair]["choice"] == "left"
    assert given[pair]["confidence"] == 4
    assert given[messages]["tags"] == {"2": ["request", "question"]}
    assert given[judged]["goals"] == {"works": True, "tidy": None}
    assert all(item["answer"] is None for item in OpenStudy(folder).agenda("bo"))


def test_the_same_answer_sent_twice_is_one_and_a_later_one_replaces_it(folder: Path) -> None:
    study = OpenStudy(folder)
    pair = of_kind(study, "pair")
    first = answer(pair, choice="left")
    study.enter(first)
    study.enter(first)
    OpenStudy(folder).enter(first)
    assert len(read_answers(folder)[0]) == 1
    study.enter(answer(pair, choice="right"))
    assert study.agenda("anna")[[i["id"] for i in study.agenda("anna")].index(pair)]["answer"]["choice"] == "right"
    assert len(read_answers(folder)[0]) == 2


@pytest.mark.parametrize("torn", [b'{"format":1,"id":"aaaa', "é".encode()[:1], b"\x00" * 40])
def test_a_line_that_was_never_finished_spoils_no_other(folder: Path, torn: bytes) -> None:
    study = OpenStudy(folder)
    pair = of_kind(study, "pair")
    study.enter(answer(pair, choice="left"))
    with (folder / "answers.jsonl").open("ab") as file:
        file.write(torn)
    again = OpenStudy(folder)
    assert again.unreadable == 1
    again.enter(answer(pair, "bo", choice="right"))
    found, unreadable = read_answers(folder)
    assert [(a.annotator, a.choice) for a in found] == [("anna", "left"), ("bo", "right")]
    assert unreadable == 1


def test_a_full_disk_leaves_no_half_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = OpenStudy(folder)
    pair = of_kind(study, "pair")
    study.enter(answer(pair, choice="left"))
    before = (folder / "answers.jsonl").read_bytes()
    whole = os.write
    monkeypatch.setattr(os, "write", lambda handle, line: whole(handle, line[: len(line) // 2]))
    with pytest.raises(OSError, match="bytes could be written"):
        study.enter(answer(pair, "bo", choice="right"))
    monkeypatch.undo()
    assert (folder / "answers.jsonl").read_bytes() == before
    study.enter(answer(pair, "bo", choice="right"))
    assert len(read_answers(folder)[0]) == 2


def test_many_threads_and_two_servers_lose_nothing(folder: Path) -> None:
    studies = [OpenStudy(folder), OpenStudy(folder)]
    pairs = [identity for identity, kind in studies[0].study.items.items() if kind == "pair"]

    def work(study: OpenStudy, name: str) -> None:
        for _ in range(10):
            for pair in pairs:
                study.enter(answer(pair, name, choice="left"))

    threads = [threading.Thread(target=work, args=(studies[n % 2], f"annotator {n}")) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found, unreadable = read_answers(folder)
    assert (len(found), unreadable) == (6 * 10 * len(pairs), 0)
    assert len({a.id for a in found}) == len(found)
    studies[0].enter(answer(pairs[0], choice="left"))
    assert studies[0].entered == 6 * len(pairs) + 1, "what the other server entered is seen"


@pytest.mark.parametrize(
    "wrong",
    [
        {}, {"choice": "both"}, {"choice": "left", "confidence": 6}, {"tags": {"2": ["request"]}},
        {"choice": "left", "annotator": "  "}, {"choice": "left", "annotator": "(on record)"},
        {"choice": "left", "annotator": "a\nb" * 40}, {"choice": "left", "item": "../../key"},
        {"choice": "left", "item": "0123456789"}, {"choice": "left", "seconds": -1}, {"choice": "left", "id": "x"},
        {"choice": "left", "more": 1},
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused_and_not_written(folder: Path, wrong: dict[str, Any]) -> None:
    study = OpenStudy(folder)
    with pytest.raises(RefusedError):
        study.enter(answer(of_kind(study, "pair")) | wrong)
    assert read_answers(folder) == ([], 0)


def test_labels_must_fit_the_item(folder: Path) -> None:
    study = OpenStudy(folder)
    for facts in ({"tags": {}}, {"tags": {2: ["request"], 3: ["request"]}}, {"tags": {2: ["shouting"]}}):
        with pytest.raises(RefusedError):
            study.enter(answer(of_kind(study, "messages"), **facts))
    for met in ({"works": True}, {"works": True, "tidy": "yes"}, {"works": True, "tidy": True, "x": True}):
        with pytest.raises(RefusedError):
            study.enter(answer(of_kind(study, "goals"), goals=met))
    assert read_answers(folder) == ([], 0)


def test_one_name_has_one_spelling(folder: Path) -> None:
    study = OpenStudy(folder)
    study.enter(answer(of_kind(study, "pair"), " Zoe\u0301  M ", choice="left"))
    assert json.loads((folder / "answers.jsonl").read_text())["annotator"] == "Zo\u00e9 M"
