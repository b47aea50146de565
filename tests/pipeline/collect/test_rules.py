"""The rules, each at its boundary, and their configuration."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import MisuseError
from swe_together.pipeline.collect import Facts, Rules, facts_of
from swe_together.pipeline.collect._rules import RULES, load_rules
from swe_together.pipeline.sessions import read_sessions
from tests.pipeline.sessions.claude_log import REJECTED, ClaudeLogWriter, small_session


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    [session] = read_sessions(small_session().write(tmp_path / "5e55.jsonl"))
    return facts_of(session)


def names(facts: Facts, **rules: Any) -> list[str]:
    return [reason.rule for reason in Rules(**rules).reasons(facts)]


def test_facts_of_a_session(facts: Facts) -> None:
    assert facts.messages == {"typed": 3}
    assert (facts.calls, facts.commands, facts.edits, facts.files, facts.originals) == (3, 1, 1, 1, 1)
    assert (facts.started, facts.minutes) == ("2026-03-01T09:00:01+00:00", 0.2)
    assert facts.folder == "/home/ada/kettle/src"
    assert facts.tokens["output"] == 42
    assert names(facts) == []


def test_edits_that_were_refused_are_none(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    for number in range(3):
        log.user(f"message {number}")
    log.calls("Edit", "t1", file_path="/a/b/x.py")
    log.result("t1", REJECTED, "Error", error=True)
    log.calls("Write", "t2", file_path="/a/b/y.py")
    log.result("t2", "no such folder", "Error", error=True)
    [session] = read_sessions(log.write(tmp_path / "5e55.jsonl"))
    found = facts_of(session)
    assert (found.edits, found.files) == (0, 0)
    assert names(found) == ["no-edits"]


def test_pauses_are_no_work(tmp_path: Path) -> None:
    log = small_session()
    log.records[-1]["timestamp"] = "2026-03-02T09:00:00.000Z"
    [session] = read_sessions(log.write(tmp_path / "5e55.jsonl"))
    found = facts_of(session)
    assert found.minutes == pytest.approx(1440, abs=0.1)
    assert found.active_minutes == pytest.approx(15.2)


@pytest.mark.parametrize(
    ("change", "rules", "reasons"),
    [
        ({"messages": {}}, {}, ["no-human"]),
        ({"messages": {"typed": 1}}, {}, ["single-turn"]),
        ({"messages": {"typed": 1, "answer": 5}}, {}, ["single-turn"]),
        ({"messages": {"typed": 2}}, {}, ["few-messages"]),
        ({"messages": {"typed": 1, "rejection": 1, "queued": 1}}, {}, []),
        ({"messages": {"typed": 2}}, {"min_messages": 2}, []),
        ({"messages": {"typed": 1}}, {"min_messages": 2}, ["single-turn"]),
        ({"messages": {"typed": 1}}, {"min_messages": 1}, []),
        ({"messages": {"typed": 5}}, {"max_messages": 4}, ["too-long"]),
        ({"messages": {"typed": 4}}, {"max_messages": 4}, []),
        ({"edits": 0, "files": 0}, {}, ["no-edits"]),
        ({"edits": 0}, {"min_edits": 0}, []),
        ({"files": 1}, {"min_files": 2}, ["few-files"]),
        ({"parent": "p"}, {}, ["subagent"]),
        ({"parent": "p"}, {"subagents": True}, []),
        ({"cwd": None, "folder": None}, {}, ["no-repository"]),
        ({"cwd": None}, {}, []),
        ({"cwd": None, "folder": None, "project": "kettle"}, {}, []),
        ({"cwd": None, "folder": None}, {"repository": "any"}, []),
        ({}, {"repository": "named"}, ["no-repository"]),
        ({"repository": "ada/kettle"}, {"repository": "named"}, []),
        ({"started": None}, {}, ["no-base"]),
        ({"started": None, "commit": "a"}, {}, []),
        ({"started": None, "commits": ["a"]}, {}, []),
        ({"started": None}, {"base": False}, []),
        ({"agent_share": 0.49}, {}, ["human-written"]),
        ({"agent_share": 0.5}, {}, []),
        ({"agent_share": 0.0}, {"min_agent_share": 0.0}, []),
        ({"problems": 1, "events": 20}, {}, []),
        ({"problems": 2, "events": 20}, {}, ["damaged"]),
        ({"messages": {}, "edits": 0, "parent": "p"}, {}, ["subagent", "no-human", "no-edits"]),
    ],
)  # fmt: skip
def test_rules(facts: Facts, change: dict[str, Any], rules: dict[str, Any], reasons: list[str]) -> None:
    assert names(replace(facts, **change), **rules) == reasons


def test_every_rule_has_a_sentence_and_a_case() -> None:
    assert all(RULES.values())
    source = Path(__file__).read_text()
    missing = {rule for rule in RULES if f'"{rule}"' not in source} - {"duplicate"}
    assert missing == set()


def test_a_file_of_rules_and_options_over_it(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text("min_messages: 5\nmin_edits: 2\nrepository: named\nchannels: [typed]\nmin_agent_share: 1\n")
    rules = load_rules(file, {"min_messages": 4})
    assert rules == Rules(min_messages=4, min_edits=2, repository="named", channels=("typed",), min_agent_share=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("min_mesages: 2", "min_mesages: no such rule"),
        ("min_messages: two", "min_messages: 'two' is not a whole number"),
        ("min_messages: -1", "min_messages: -1 is not a whole number"),
        ("min_messages: true", "min_messages: True is not a whole number"),
        ("min_agent_share: 50", "min_agent_share: 50 is not a number from 0 to 1"),
        ("repository: yes please", "is not one of any, known, named"),
        ("base: 1", "base: 1 is not true or false"),
        ("channels: typed", "channels: 'typed' is not a list"),
        ("channels: [shouted]", "is not a list of channels"),
        ("- a", "holds no mapping"),
        ("a: [", "can't be read as YAML"),
    ],
)
def test_a_wrong_file_of_rules_is_misuse_that_names_the_value(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(text)
    with pytest.raises(MisuseError, match=r"rules\.yaml") as caught:
        load_rules(file, {})
    assert said in str(caught.value)
