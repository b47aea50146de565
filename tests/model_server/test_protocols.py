"""Independent client libraries play whole sessions and understand every field of the usage."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.model_server.clients import CLIENTS
from tests.model_server.example import KEY, SCRIPT
from tests.support.model_server import FakeModelServer


@pytest.mark.filterwarnings("ignore:.*ReadOnly.*:UserWarning")
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("protocol", sorted(CLIENTS))
def test_a_library_plays_the_session(server: FakeModelServer, url: str, protocol: str, stream: bool) -> None:
    client = CLIENTS[protocol](url, KEY, stream)
    played: list[tuple[str, ...]] = []
    usage = []
    for turn in SCRIPT.turns:
        client.say(turn.message)
        while True:
            reply = client.ask()
            usage.append(reply.usage)
            if reply.call_id is None:
                played.append(("says", reply.text))
                break
            assert reply.command is not None
            played.append(("runs", reply.command))
            client.result(reply.call_id, "done")

    assert played == [
        ("runs", "printf one > a"),
        ("runs", "cat a"),
        ("says", "Made a."),
        ("runs", "printf two > b"),
        ("says", "Made b."),
    ]
    calls = server.ledger.calls(KEY)
    assert [(call.turn, call.step) for call in calls] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]
    drawn = [call.usage for call in calls if call.usage is not None]
    if protocol == "anthropic":
        drawn = [replace(one, reasoning=0) for one in drawn]
    if protocol == "gemini":
        drawn = [replace(one, fresh=one.fresh + one.cache_write, cache_write=0) for one in drawn]
    assert usage == drawn
    assert all(call.protocol == protocol for call in calls)
