"""The figures: intervals that know clusters, missing is never zero, each part of the report from known trials."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from swe_together.memorycode._arms import Arm
from swe_together.memorycode._intervals import averaged, pooled, t_quantile
from swe_together.memorycode._outcomes import Outcome, Outcomes, Played, read_outcomes
from swe_together.memorycode._report import PUBLISHED_HISTORY, make_report
from swe_together.memorycode._report_view import report_json, report_svg


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (29, 2.045), (1000, 1.962)],
)
def test_quantiles_are_those_of_the_tables(degrees: int, quantile: float) -> None:
    assert t_quantile(degrees) == pytest.approx(quantile, rel=0.005)


def test_pooling_counts_things_and_errs_by_cluster() -> None:
    spread = [("a", True)] * 8 + [("a", False)] * 2 + [("b", True)] * 4 + [("b", False)] * 6
    share = pooled(spread)
    assert (share.value, share.count, share.clusters) == (0.6, 20, 2)
    # Sums of residuals are 2 and -2: variance 2 / 1 * 8, error 4 / 20.
    assert share.low == 0.0
    assert share.high == 1.0
    many = pooled([(number % 10, number % 10 < 5) for number in range(100)])
    alone = pooled([(number, number % 10 < 5) for number in range(100)])
    assert many.value == alone.value == 0.5
    assert many.low is not None and alone.low is not None
    assert many.low == pytest.approx(0.5 - 2.262 * (10 / 9 * 10 * 25) ** 0.5 / 100, abs=0.002)
    assert alone.low > many.low, "things of one cluster say less than things of many"


def test_too_little_gives_no_interval_and_nothing_gives_no_value() -> None:
    assert pooled([]).value is None
    assert (pooled([("a", True)]).value, pooled([("a", True)]).low) == (1.0, None)
    assert averaged([]).value is None
    assert averaged([0.25]).low is None
    assert averaged([0.0, 1.0]) == averaged([1.0, 0.0])


def pair(met: bool, stale: str | None = None) -> dict[str, Any]:
    return {"request": "q", "rule": "r", "variant": "v", "met": met, "objects": 1, "reason": "", "stale": stale}


def rule(name: str, met: bool, *, variants: int = 1, since: int = 0, stale: str | None = None) -> dict[str, Any]:
    return {
        "rule": name, "variants": [str(n) for n in range(variants)], "since": since, "home": "q", "met": met,
        "reason": "", "stale": stale, "pairs": [pair(met, stale), pair(True)],
    }  # fmt: skip


def outcome(dialogue: str, arm: str, size: int, *rules: dict[str, Any], obeyed: bool = False) -> Outcome:
    return Outcome.model_validate(
        {
            "format": 1, "dialogue": dialogue, "arm": arm, "size": size, "seed": 1, "pool": "all",
            "rules": list(rules), "requests": [{"id": "q", "problems": [] if obeyed else ["broken"]}],
            "distractors": [{"topic": "vpn", "marks": ["amber"], "obeyed": obeyed}],
            "notes_bytes": 3 if obeyed else None,
        }
    )  # fmt: skip


TRIALS = [
    outcome("a", "sessions", 5, rule("p06", True, since=4), rule("p07", False, variants=2, since=0, stale="0")),
    outcome("b", "sessions", 15, rule("p06", True, since=14), rule("p07", True, variants=3, since=2), obeyed=True),
    outcome("c", "sessions", 15, *[rule(f"p1{n}", False, since=7) for n in range(6)]),
    outcome("a", "chain", 5, rule("p06", True), rule("p07", True, variants=2)),
    outcome("b", "chain", 15, rule("p06", True), rule("p07", False, variants=3, stale=None)),
]


@pytest.fixture(scope="module")
def report() -> Any:
    return make_report(Outcomes([Played("agent", one) for one in TRIALS]))


def test_accuracy_pooled_and_by_dialogue(report: Any) -> None:
    chain, sessions = report.arms
    assert (chain.arm, sessions.arm) == (Arm.CHAIN, Arm.SESSIONS)
    assert sessions.micro.value == pytest.approx(3 / 10)
    assert sessions.macro.value == pytest.approx((0.5 + 1 + 0) / 3)
    assert sessions.answers.value == pytest.approx(13 / 20)
    assert {size: (micro.value, macro.value) for size, (micro, macro) in sessions.sizes.items()} == {
        5: (0.5, 0.5), 15: (0.25, 0.5),
    }  # fmt: skip
    assert {name: (micro.value, macro.value) for name, (micro, macro) in sessions.distances.items()} == {
        "0": (0.0, 0.0), "1-2": (1.0, 1.0), "3-5": (1.0, 1.0), "6-10": (0.0, 0.0), "11-20": (1.0, 1.0),
    }  # fmt: skip


def test_updates_stale_rules_distractors_notes_and_working_code(report: Any) -> None:
    chain, sessions = report.arms
    assert (sessions.updates.value, sessions.updates.count) == (0.5, 2)
    assert sessions.stale.value == 0.5
    assert (chain.updates.value, chain.stale.value) == (0.5, 0.0)
    assert sessions.distractors.value == sessions.works.value == sessions.notes.value == pytest.approx(1 / 3)


def test_the_gap_is_over_dialogues_that_both_arms_have(report: Any) -> None:
    (gap,) = report.gaps
    assert (gap.arm, gap.other, gap.difference.clusters) == (Arm.CHAIN, Arm.SESSIONS, 2)
    assert gap.difference.value == pytest.approx(((1 - 0.5) + (0.5 - 1)) / 2)


def test_the_gap_is_over_rules_that_both_arms_judge() -> None:
    """``isolated`` has one rule of a dialogue: all others would compare other things."""
    trials = [
        outcome("a", "isolated", 5, rule("p06", True)),
        outcome("b", "isolated", 5, rule("p07", True)),
        outcome("a", "sessions", 5, rule("p06", False), rule("p08", True), rule("p09", True)),
        outcome("b", "sessions", 5, rule("p07", True), rule("p08", False)),
        outcome("b", "sessions", 5, rule("p07", False), rule("p08", False)),
    ]
    (gap,) = make_report(Outcomes([Played("agent", one) for one in trials])).gaps
    assert (gap.arm, gap.other, gap.difference.clusters) == (Arm.ISOLATED, Arm.SESSIONS, 2)
    assert gap.difference.value == pytest.approx((1.0 + 0.5) / 2)


def test_a_dialogue_of_one_arm_alone_is_in_no_gap() -> None:
    trials = [*TRIALS, outcome("d", "chain", 5, rule("p06", False))]
    (gap,) = make_report(Outcomes([Played("agent", one) for one in trials])).gaps
    assert gap.difference.clusters == 2
    apart = [outcome("a", "chain", 5, rule("p06", True)), outcome("b", "sessions", 5, rule("p06", True))]
    assert make_report(Outcomes([Played("agent", one) for one in apart])).gaps == []


def test_the_plot_and_the_figures_hold_everything(report: Any) -> None:
    plot = ElementTree.fromstring(report_svg(report))
    words = [text.text for text in plot.iter("{http://www.w3.org/2000/svg}text")]
    assert "agent, sessions" in words
    assert "published: GPT-4o" in words
    lines = list(plot.iter("{http://www.w3.org/2000/svg}polyline"))
    assert len(lines) == 2 + len(PUBLISHED_HISTORY)
    written = json.loads(json.dumps(report_json(report)))
    assert written["arms"][1]["micro"]["value"] == pytest.approx(0.3)
    assert written["published"]["isolated"]["GPT-4o"] == 0.947


def trial(folder: Path, name: str, task: str, reward: float | None, found: Outcome | None) -> None:
    path = folder / name
    (path / "verifier").mkdir(parents=True)
    (path / "config.json").write_text(json.dumps({"trial_name": name, "agent": {"name": "oracle"}}))
    result: dict[str, Any] = {"task_name": task, "agent_info": {"name": "oracle"}, "verifier": {}}
    result["verifier_result"] = {"rewards": {} if reward is None else {"reward": reward}}
    (path / "result.json").write_text(json.dumps(result))
    if found is not None:
        (path / "verifier" / "memorycode.json").write_text(found.model_dump_json())


def test_what_is_missing_is_counted_and_never_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trial(tmp_path, "one", "swe-together/memorycode-a-chain", 1.0, TRIALS[3])
    trial(tmp_path, "two", "swe-together/memorycode-b-chain", None, None)
    trial(tmp_path, "three", "swe-together/memorycode-c-chain", 0.5, None)
    trial(tmp_path, "four", "swe-together/qs-dropped-params", 0.5, None)
    found = read_outcomes([tmp_path])
    assert dict(found.missing) == {"verifier_error": 1, "outcome_unreadable": 1}
    assert (len(found.played), found.others) == (1, 1)
    assert main(["memorycode", "report", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "1 outcome_unreadable, 1 verifier_error" in shown
    assert "1.000 –" in shown


def session(folder: Path, name: str, **changes: Any) -> None:
    """The record of a session whose last message was the request, with changes."""
    turns = [
        {"turn": 0, "message": "a", "kind": None, "continuation": "first", "seconds": 1.0},
        {"turn": 1, "message": "b", "kind": "anchor", "anchors": ["request"], "continuation": "native", "seconds": 1.0},
    ]
    record = {
        "task": f"swe-together/memorycode-{name}", "task_digest": "0", "agent": "x", "policy": "scripted",
        "arm": "interactive", "continuation": "native", "started": "", "finished": "", "seconds": 1.0,
        "agent_seconds": 1.0, "user_seconds": 0.0, "end": "anchors_exhausted", "turns": turns, "settled": [],
        "messages": 1,
    }  # fmt: skip
    file = folder / name / "user-agent" / "session.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({**record, **changes}))


def test_a_trial_counts_as_what_was_delivered(tmp_path: Path) -> None:
    """The control full-spec is a list of the rules; who was never asked has forgotten nothing."""
    told = outcome("a", "sessions", 5, rule("p06", True), obeyed=True)
    memory = outcome("b", "memory", 5, rule("p06", True))
    short = {"turns": [{"turn": 0, "message": "a", "kind": None, "continuation": "first", "seconds": 1.0}]}
    trials: dict[str, tuple[Outcome, dict[str, Any]]] = {
        "as-it-is": (told, {}),
        "whole": (told, {"arm": "full-spec", **short}),
        "first": (told, {"arm": "first-message", **short}),
        "cut-off": (memory, {"continuation": "fresh", "end": "time_budget", **short}),
        "alone": (outcome("c", "isolated", 5, rule("p06", True)), {"arm": "full-spec", **short}),
        "remembered": (memory, {"continuation": "native"}),
        "in-own-words": (told, {"policy": "human", **short}),
    }
    for name, (found, changes) in trials.items():
        trial(tmp_path, name, f"swe-together/memorycode-{name}", 1.0, found)
        session(tmp_path, name, **changes)
    read = read_outcomes([tmp_path])
    assert dict(read.missing) == {"never_asked": 2}
    agent = {one.agent for one in read.played if "continuation" not in one.agent}
    assert len(agent) == 1
    counted = sorted((one.outcome.arm.value, one.agent.partition(", ")[2]) for one in read.played)
    assert counted == [
        ("chain", ""), ("isolated", ""), ("memory", "continuation native"), ("sessions", ""), ("sessions", ""),
    ]  # fmt: skip
    (chain,) = (one.outcome for one in read.played if one.outcome.arm is Arm.CHAIN)
    assert chain.distractors == []


def test_a_report_without_trials_is_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memorycode", "report", str(tmp_path)]) == 2
    assert main(["memorycode", "report", str(tmp_path / "none")]) == 2
    assert "no such job folder" in capsys.readouterr().err
