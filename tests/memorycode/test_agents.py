"""The scripted listeners: what each still knows, told from the messages so far alone."""

from pathlib import Path

import pytest

from swe_together.memorycode._arms import Arm
from swe_together.memorycode.agents import (
    LISTENERS,
    Forgetting,
    Listener,
    Mention,
    NeverUpdating,
    Remembering,
    mentions_at_once,
    mentions_in,
)

TOLD = {"size": 3, "mentions": [[["p06", "a_"], ["p22", "only"]], [], [["p06", "b_"]]]}


def told(arm: Arm) -> dict[str, object]:
    return {**TOLD, "arm": arm.value}


def heard(arm: Arm, *turns: int) -> list[Mention]:
    return [one for turn in turns for one in mentions_in(told(arm), turn)]


def test_a_message_tells_its_own_session_and_none_to_come() -> None:
    for arm in (Arm.SESSIONS, Arm.MEMORY):
        assert heard(arm, 0) == [Mention(1, "p06", "a_"), Mention(1, "p22", "only")]
        assert heard(arm, 1) == []
        assert heard(arm, 2) == [Mention(3, "p06", "b_")]
        assert heard(arm, 3) == []
    assert mentions_in(told(Arm.SESSIONS), None) == []
    assert [one.session for one in heard(Arm.HISTORY, 0)] == [1, 1, 3]
    assert [one.session for one in heard(Arm.CHAIN, 0)] == [3, 3, 3]
    for arm in Arm:
        assert mentions_at_once(told(arm)) == heard(Arm.CHAIN, 0)


def test_a_listener_must_say_what_it_knows(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="abstract method 'known'"):
        Listener(logs_dir=tmp_path)  # type: ignore[abstract]
    assert Remembering(logs_dir=tmp_path).name() == "memorycode-remembering"


def known(listener: type, mentions: list[Mention], session: int) -> dict[str, str]:
    found: dict[str, str] = listener.known(None, mentions, session)
    return found


def test_the_three_know_what_they_should() -> None:
    everything = heard(Arm.SESSIONS, 0, 1, 2)
    assert known(Remembering, everything, 3) == {"p06": "b_", "p22": "only"}
    assert known(Forgetting, everything, 3) == {"p06": "b_"}
    assert known(NeverUpdating, everything, 3) == {"p06": "a_", "p22": "only"}
    assert known(Forgetting, heard(Arm.SESSIONS, 0, 1), 2) == {}
    assert known(Forgetting, heard(Arm.CHAIN, 0), 3) == {"p06": "b_", "p22": "only"}
    assert known(Forgetting, heard(Arm.HISTORY, 0), 3) == {"p06": "b_"}


def test_their_names_say_what_they_are() -> None:
    assert [one.name() for one in LISTENERS] == [
        "memorycode-remembering",
        "memorycode-forgetting",
        "memorycode-never-updating",
    ]
