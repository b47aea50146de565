import asyncio

import pytest

from swe_together.errors import EnvironmentFault, MisuseError, SimulatorError
from swe_together.schema import EndReason
from swe_together.simulator import POLICIES, ScriptedUser, SilentUser, User, World, create_user, policy_faults
from swe_together.simulator.fake import FakeWorld
from tests.simulator.cases import idle, left, play, script, seen


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_is_a_user_under_its_name(policy: str) -> None:
    user: User = create_user(policy, script({"id": "a"}))
    assert user.name == policy
    world: World = FakeWorld()
    decision = asyncio.run(user.decide(seen(1), world))
    assert (decision.message is None) == (decision.end is not None)


def test_users_are_fresh() -> None:
    one = script({"id": "a"})
    assert play(create_user("scripted", one), idle(1)) == play(create_user("scripted", one), idle(1))
    assert isinstance(create_user("scripted", one), ScriptedUser)


def test_an_unknown_policy_names_those_there_are() -> None:
    with pytest.raises(MisuseError, match=r"'skripted'.*scripted, silent"):
        create_user("skripted", script())


def test_the_silent_user_leaves_at_the_first_yield_and_asks_nothing() -> None:
    user = SilentUser(script({"id": "b", "source_turn": 2}, {"id": "a", "source_turn": 1}))
    world = FakeWorld(failing=["changed_paths", "path_exists", "diff_text", "file_text", "commands", "probe"])
    decisions = play(user, [(seen(1), world)], yielded=False)
    assert (decisions[0].message, decisions[0].end, decisions[0].settled) == (None, None, [])
    decisions = play(user, [(seen(2, agent_asks=True), world)])
    assert (decisions[0].message, decisions[0].end) == (None, EndReason.USER_LEFT)
    assert left(decisions) == {"a": "dismissed", "b": "dismissed"}
    assert world.asked == []
    assert user.dismiss("again") == []


def test_faults_of_a_session_pass_and_all_others_become_the_simulators() -> None:
    with pytest.raises(EnvironmentFault), policy_faults("x"):
        raise EnvironmentFault("gone")
    with pytest.raises(SimulatorError, match="'x' failed: ZeroDivisionError") as caught, policy_faults("x"):
        raise ZeroDivisionError
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(asyncio.CancelledError), policy_faults("x"):
        raise asyncio.CancelledError
