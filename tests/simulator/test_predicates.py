import asyncio
import time
from typing import Any

import pytest
from pydantic import TypeAdapter

from swe_together.errors import EnvironmentFault, SimulatorError
from swe_together.schema import Fact, Predicate
from swe_together.schema._predicates import KEYS
from swe_together.simulator import DiffText, Evaluation, ProbeOutcome, TurnView, evaluate, references
from swe_together.simulator.fake import FakeWorld
from tests.simulator.cases import seen

PREDICATE: TypeAdapter[Predicate] = TypeAdapter(Predicate)


class States:
    """One anchor said, one expired, one pending."""

    def said(self, anchor: str) -> bool:
        return {"was-said": True, "expired": False, "pending": False}[anchor]

    def settled(self, anchor: str) -> bool:
        return {"was-said": True, "expired": True, "pending": False}[anchor]


def check(predicate: dict[str, Any], world: FakeWorld | None = None, **observation: Any) -> Evaluation:
    view = TurnView(world or FakeWorld(), seen(observation.pop("turn", 3), **observation))
    parsed = PREDICATE.validate_python(predicate)
    return asyncio.run(evaluate(parsed, view, States(), anchor="a", field="condition"))


def probe(run: str = "try", **expected: Any) -> dict[str, Any]:
    return {"probe": {"run": run, **expected}}


FILES = {"src/app/main.py": "import os\nVERSION = '1.2'\n", "README.md": "# é\r\n", ".github/ci.yml": ""}
DIFF = "-old_cache = {}\n+import lru\n+def run():\n+    return lru"
OUTCOMES = {
    "try": ProbeOutcome(1, "one\nTypeError: no\n"),
    "works": ProbeOutcome(0, "fine\n"),
    "hangs": ProbeOutcome(None, "fine\n", timed_out=True),
}

# Key, predicate, what the turn held, value.
TABLE: list[tuple[str, dict[str, Any], dict[str, Any], bool]] = [
    ("path_changed", {"path_changed": "src/**"}, {}, True),
    ("path_changed", {"path_changed": "**/*.py"}, {}, True),
    ("path_changed", {"path_changed": "src/*.py"}, {}, False),
    ("path_changed", {"path_changed": "README.md"}, {}, False),
    ("path_exists", {"path_exists": "**/main.py"}, {}, True),
    ("path_exists", {"path_exists": "src/app"}, {}, True),
    ("path_exists", {"path_exists": "docs/**"}, {}, False),
    ("diff_matches", {"diff_matches": "old_cache"}, {}, True),
    ("diff_matches", {"diff_matches": r"^\+def \w+\(\):$"}, {}, True),
    ("diff_matches", {"diff_matches": r"^\+.*old_cache"}, {}, False),
    ("diff_matches", {"diff_matches": r"run\(\):\s+return"}, {}, False),
    ("file_matches", {"file_matches": {"path": "src/app/main.py", "re": r"^VERSION = '\d"}}, {}, True),
    ("file_matches", {"file_matches": {"path": "src/app/main.py", "re": r"os\s+VERSION"}}, {}, True),
    ("file_matches", {"file_matches": {"path": "src/app/main.py", "re": "^version"}}, {}, False),
    ("file_matches", {"file_matches": {"path": "gone.py", "re": ""}}, {}, False),
    ("response_matches", {"response_matches": "(?i)all TESTS"}, {"reply": "ok, all tests pass"}, True),
    ("response_matches", {"response_matches": "all TESTS"}, {"reply": "ok, all tests pass"}, False),
    ("agent_asks", {"agent_asks": True}, {"agent_asks": True}, True),
    ("agent_asks", {"agent_asks": False}, {"agent_asks": False}, True),
    ("agent_asks", {"agent_asks": True}, {"agent_asks": False}, False),
    ("agent_asks", {"agent_asks": False}, {"agent_asks": True}, False),
    ("command_ran", {"command_ran": r"\bpytest\b"}, {}, True),
    ("command_ran", {"command_ran": "^make$"}, {}, False),
    ("turn", {"turn": {"min": 3}}, {"turn": 3}, True),
    ("turn", {"turn": {"min": 3, "max": 4}}, {"turn": 4}, True),
    ("turn", {"turn": {"max": 2}}, {"turn": 1}, True),
    ("turn", {"turn": {"min": 3}}, {"turn": 2}, False),
    ("turn", {"turn": {"max": 2}}, {"turn": 3}, False),
    ("elapsed_sec", {"elapsed_sec": {"min": 60}}, {"elapsed_sec": 60.0}, True),
    ("elapsed_sec", {"elapsed_sec": {"min": 60}}, {"elapsed_sec": 59.9}, False),
    ("said", {"said": "was-said"}, {}, True),
    ("said", {"said": "expired"}, {}, False),
    ("settled", {"settled": "expired"}, {}, True),
    ("settled", {"settled": "pending"}, {}, False),
    ("probe", probe(exit=1), {}, True),
    ("probe", probe(output="^TypeError: no$"), {}, True),
    ("probe", probe(exit=1, output="TypeError"), {}, True),
    ("probe", probe(exit=0), {}, False),
    ("probe", probe(exit=0, output="TypeError"), {}, False),
    ("probe", probe(exit=1, output="ValueError"), {}, False),
    ("probe", probe("hangs", output="fine"), {}, False),
    ("all", {"all": [{"said": "was-said"}, {"turn": {"min": 3}}]}, {}, True),
    ("all", {"all": [{"said": "was-said"}, {"said": "pending"}]}, {}, False),
    ("any", {"any": [{"said": "pending"}, {"said": "was-said"}]}, {}, True),
    ("any", {"any": [{"said": "pending"}, {"said": "expired"}]}, {}, False),
    ("not", {"not": {"said": "pending"}}, {}, True),
    ("not", {"not": {"said": "was-said"}}, {}, False),
    ("not", {"not": probe("hangs", exit=0)}, {}, True),
]


def world() -> FakeWorld:
    return FakeWorld(
        files=FILES,
        changed=["src/app/main.py", "tests/test_main.py"],
        diff=DIFF,
        commands=["ls", "cd src &&\npytest -q"],
        probes=OUTCOMES,
    )


@pytest.mark.parametrize(("key", "predicate", "observation", "value"), TABLE)
def test_value(key: str, predicate: dict[str, Any], observation: dict[str, Any], value: bool) -> None:
    result = check(predicate, world(), **observation)
    assert result.value is value
    assert result.facts[-1].value is value
    assert list(result.facts[-1].predicate) == [key]
    assert PREDICATE.validate_python(result.facts[-1].predicate) == PREDICATE.validate_python(predicate)


def test_the_table_holds_every_predicate_both_ways() -> None:
    assert {(key, value) for key, _, _, value in TABLE} == {(key, value) for key in KEYS for value in (True, False)}


def test_every_part_evaluated_has_its_fact_before_the_whole() -> None:
    result = check({"all": [{"not": {"said": "pending"}}, {"any": [{"said": "expired"}, {"settled": "expired"}]}]})
    assert [list(fact.predicate) for fact in result.facts] == [
        ["said"],
        ["not"],
        ["said"],
        ["settled"],
        ["any"],
        ["all"],
    ]
    assert [fact.value for fact in result.facts] == [False, True, False, True, True, True]
    assert all(fact.anchor == "a" and fact.field == "condition" for fact in result.facts)
    assert [Fact.model_validate_json(fact.model_dump_json()) for fact in result.facts] == result.facts


def test_a_short_circuit_is_recorded_as_such() -> None:
    result = check({"all": [{"said": "was-said"}, {"said": "pending"}, {"said": "expired"}]})
    assert len(result.facts) == 3
    assert result.facts[-1].detail == "decided by part 2 of 3, not evaluated: 3"


def test_probes_come_last_and_only_where_they_decide() -> None:
    spied = world()
    assert not check({"all": [probe(exit=1), {"any": [probe("works", exit=0)]}, {"said": "pending"}]}, spied).value
    assert spied.probed == []
    assert check({"any": [probe(exit=1), {"said": "was-said"}]}, spied).facts[-1].detail.endswith("not evaluated: 1")
    assert spied.probed == []
    assert check({"all": [probe(exit=1), {"said": "was-said"}]}, spied).value
    assert spied.probed == ["try"]


def test_one_probe_a_turn_whatever_is_expected_of_it() -> None:
    spied = world()
    assert check({"all": [probe(exit=1), probe(output="TypeError"), {"not": probe(exit=0)}]}, spied).value
    assert spied.probed == ["try"]
    check(probe(exit=1), spied)
    assert spied.probed == ["try", "try"], "a new turn tries again"


def test_every_question_is_put_to_the_world_once_a_turn() -> None:
    spied = world()
    parts = [
        {"path_changed": "x"},
        {"path_exists": "x"},
        {"diff_matches": "x{9}"},
        {"command_ran": "x{9}"},
        {"file_matches": {"path": "README.md", "re": "x{9}"}},
    ]
    check({"any": [*parts, *parts]}, spied)
    assert sorted(spied.asked) == ["changed_paths", "commands", "diff_text", "file_text", "path_exists"]


def test_a_hang_is_a_fact_and_no_fault() -> None:
    result = check(probe("hangs", exit=0, timeout_sec=7), world())
    assert result.facts[-1].detail == "timed out after 7 s: fine\n"


def test_what_a_probe_printed_is_in_the_fact_bounded_with_its_end() -> None:
    long = FakeWorld(probes={"try": ProbeOutcome(1, "begin " + "x" * 50_000 + " end")})
    detail = check(probe(exit=1), long).facts[-1].detail
    assert len(detail) <= 1_000
    assert detail.startswith("exit 1: begin")
    assert detail.endswith(" end")


ASKING = {
    "changed_paths": {"path_changed": "**"},
    "path_exists": {"path_exists": "**"},
    "diff_text": {"diff_matches": "."},
    "file_text": {"file_matches": {"path": "x", "re": "."}},
    "commands": {"command_ran": "."},
    "probe": probe(exit=0),
}


@pytest.mark.parametrize("method", ASKING)
@pytest.mark.parametrize("wrap", [lambda p: p, lambda p: {"not": p}, lambda p: {"any": [{"said": "pending"}, p]}])
def test_a_world_that_cannot_tell_is_never_a_value(method: str, wrap: Any) -> None:
    with pytest.raises(EnvironmentFault, match=method):
        check(wrap(ASKING[method]), FakeWorld(failing=[method]))


def test_any_error_of_a_world_is_the_environments() -> None:
    def broken(command: object) -> ProbeOutcome:
        raise OSError("the socket is closed")

    with pytest.raises(EnvironmentFault, match="socket is closed") as caught:
        check(probe(exit=0), FakeWorld(probes=broken))
    assert isinstance(caught.value.__cause__, OSError)


def test_no_exit_code_and_no_timeout_is_the_desks_fault() -> None:
    with pytest.raises(EnvironmentFault, match="no exit code"):
        check(probe(exit=0), FakeWorld(probes={"try": ProbeOutcome(None, "")}))


def test_an_anchor_that_is_not_there_and_a_bad_glob_are_errors() -> None:
    with pytest.raises(KeyError):
        check({"said": "nobody"})
    with pytest.raises(SimulatorError, match="is no glob"):
        check({"path_exists": "/abs"})


def test_a_delta_that_was_cut_says_so_only_where_it_matters() -> None:
    cut = FakeWorld(diff=DiffText("+one", cut=True))
    assert check({"diff_matches": "two"}, cut).facts[-1].detail == "not in the part of the delta that was looked at"
    assert check({"diff_matches": "one"}, cut).facts[-1].detail == "+one"


def test_details_name_what_was_found() -> None:
    assert check({"path_changed": "**"}, world()).facts[-1].detail == "src/app/main.py and 1 more"
    assert check({"command_ran": "pytest"}, world()).facts[-1].detail == "pytest -q"
    assert check({"file_matches": {"path": "README.md", "re": "é"}}, world()).facts[-1].detail == "# é\r"


def test_text_that_cannot_be_encoded_is_matched_all_the_same() -> None:
    odd = FakeWorld(changed=["a\udcff.py"], files={"a": "x\ud800y"}, commands=["echo \udc80"])
    assert check({"path_changed": "*.py"}, odd).value
    assert check({"file_matches": {"path": "a", "re": "x.y"}}, odd).value
    assert not check({"command_ran": r"\?"}, odd).value


def test_hostile_patterns_and_texts_take_linear_time() -> None:
    began = time.perf_counter()
    text = "a" * 2_000_000
    hostile = FakeWorld(files={"f": text}, diff="+\n" * 1_000_000 + text)
    assert not check({"file_matches": {"path": "f", "re": "^(a+)+b$"}}, hostile).value
    assert not check({"diff_matches": r"^(\+|a|aa)*(\s|x)+b$"}, hostile).value
    assert not check({"response_matches": "(.*)(.*)(.*)(.*)x$"}, reply="y" * 8_000).value
    assert time.perf_counter() - began < 5


def test_references_are_found_at_any_depth() -> None:
    parsed = PREDICATE.validate_python({"all": [{"not": {"any": [{"said": "b"}, {"settled": "a"}]}}, {"said": "b"}]})
    assert references(parsed) == ["b", "a"]
