"""A fresh container that doesn't start is a fault of ours with a remedy, and is taken down all the same."""

from typing import Any

import pytest
from harbor.environments.factory import EnvironmentFactory

from swe_together.adapter.fresh import fresh_container
from swe_together.errors import EnvironmentFault
from tests.judge.drafting.cases import TINY
from tests.support import harbor as h


class Broken:
    """Takes no start; keeps what was asked of it."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.stopped: list[bool] = []

    async def start(self, force_build: bool) -> None:
        raise self.error

    async def stop(self, delete: bool) -> None:
        self.stopped.append(delete)


@pytest.mark.parametrize(
    ("error", "told"),
    [(RuntimeError("no\n engine"), "did not start: no engine"), (TimeoutError(), "did not start in time")],
)
async def test_a_container_that_doesnt_start(error: Exception, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Broken(error)
    asked: dict[str, Any] = {}

    def create(config: object, **values: Any) -> Broken:
        asked.update(values)
        return broken

    monkeypatch.setattr(EnvironmentFactory, "create_environment_from_config", create)
    with pytest.raises(EnvironmentFault, match=told) as raised:
        async with fresh_container(h.tiny_task(), "tiny-judge"):
            raise AssertionError("it never started")
    assert raised.value.remedy
    assert broken.stopped == [True]
    assert asked["session_id"].startswith("tiny-judge-")
    assert asked["environment_dir"] == h.tiny_task() / "environment"


async def test_a_task_without_its_generated_parts() -> None:
    with pytest.raises(EnvironmentFault, match=r"tests/test\.sh.* swe-together fmt"):
        async with fresh_container(TINY.path, "tiny-judge"):
            raise AssertionError("it never started")
