"""Every built-in agent of Harbor plays three turns through the adapter, with logs in its own form: no Docker, no model.

Its command line is not there; Harbor's class of it is the real one, and so is everything of the adapter.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from harbor.agents.factory import AgentFactory
from harbor.models.agent.name import AgentName

from swe_together.adapter.agents import TogetherMixin
from swe_together.adapter.trial import continuation_of
from swe_together.adapter.usage import total
from swe_together.schema import Usage
from tests.support.contract.cases import CASES, KEYS
from tests.support.contract.play import construct, play, reached
from tests.support.contract.said import Played, usage

HOLDS_NO_SESSION = ("nop", "oracle")


def _known(name: str) -> bool:
    try:
        AgentFactory.get_agent_class(AgentName(name))
    except ValueError:  # a retired name that Harbor itself refuses
        return False
    return True


BUILT_IN = [name for name in sorted(AgentName.values()) if name not in HOLDS_NO_SESSION and _known(name)]
PLAYED = [name for name in BUILT_IN if name in CASES and CASES[name].only is None]
RESUME = [name for name in PLAYED if continuation_of(AgentFactory.get_agent_class(AgentName(name)), None) == "native"]

Row = Callable[[str, object], None]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, "fake-key")


def test_no_built_in_agent_is_forgotten() -> None:
    assert [name for name in BUILT_IN if name not in CASES] == []


@pytest.mark.parametrize("name", BUILT_IN)
def test_it_is_constructed_below_our_class_or_says_what_it_lacks(
    name: str, tmp_path: Path, record_property: Row
) -> None:
    if name == "fabric":
        with pytest.raises(ImportError, match=name):
            construct(name, CASES[name], tmp_path)
        record_property("agent", {"agent": name, "how": "wrapped only", "why": CASES[name].only})
        return
    agent = construct(name, CASES[name], tmp_path)
    assert isinstance(agent, TogetherMixin)
    assert agent.name() == AgentFactory.get_agent_class(AgentName(name)).name()
    if CASES[name].only is not None:
        how = continuation_of(agent, None)
        record_property(
            "agent", {"agent": name, "how": "constructed only", "continuation": how, "why": CASES[name].only}
        )


@pytest.mark.parametrize("name", PLAYED)
async def test_three_turns(name: str, tmp_path: Path, record_property: Row) -> None:
    case = CASES[name]
    session = await play(name, case, tmp_path)
    how = "native" if name in RESUME else "restated"
    for played, turn, handed in zip(session.played, session.turns, session.handed, strict=True):
        assert reached(handed, played.sent, case.framed), f"turn {played.number} was not handed over as it was decided"
        assert turn.continuation == ("first" if played.number == 1 else how)
        assert turn.reply == (played.reply if case.replies else "")
        if case.runs:
            (ran,) = turn.commands
            assert ran.command == played.command
            assert played.output in ran.output
        check_usage(turn.usage, played, name)
    check_totals(session.driver.usage, [turn.usage for turn in session.turns])
    assert session.context.n_input_tokens == session.driver.usage.input_tokens
    trajectory = (tmp_path / "trial" / "user-agent" / "turn-3" / "trajectory.json").is_file()
    record_property(
        "agent",
        {
            "agent": name,
            "how": "contract",
            "continuation": how,
            "tokens": list(case.knows),
            "cost": case.cost,
            "trajectory": trajectory,
            "commands": case.runs,
        },
    )


@pytest.mark.parametrize("name", PLAYED)
async def test_what_it_does_not_report_is_unknown_and_not_zero(name: str, tmp_path: Path) -> None:
    session = await play(name, CASES[name], tmp_path, reports=False)
    assert [turn.usage for turn in session.turns] == [Usage()] * 3
    assert session.driver.usage == Usage()
    assert session.context.n_input_tokens is None
    assert session.context.cost_usd is None


@pytest.mark.parametrize("name", RESUME)
async def test_new_conversations_are_counted_once_each(name: str, tmp_path: Path) -> None:
    session = await play(name, CASES[name], tmp_path, asked="restated")
    assert [turn.continuation for turn in session.turns] == ["first", "restated", "restated"]
    for played, turn, handed in zip(session.played, session.turns, session.handed, strict=True):
        assert reached(handed, played.sent, CASES[name].framed)
        assert turn.reply == (played.reply if CASES[name].replies else "")
        check_usage(turn.usage, played, name)


def check_usage(found: Usage, played: Played, name: str) -> None:
    case = CASES[name]
    wanted = usage(played, case.knows)
    assert found.model_copy(update={"cost_usd": None, "reasoning_tokens": None}) == wanted
    if case.cost == "reported":
        assert played.spent is not None
        assert found.cost_usd == pytest.approx(played.spent.cost)
    else:
        assert (found.cost_usd is not None and found.cost_usd > 0) is (case.cost == "estimated")


def check_totals(found: Usage, turns: list[Usage]) -> None:
    assert json.loads(found.model_dump_json()) == pytest.approx(json.loads(total(turns).model_dump_json()))
