"""Dynamic subclasses of Harbor's own agents, by import path."""

import importlib

import pytest
from harbor.agents.factory import AgentFactory
from harbor.models.agent.name import AgentName

from swe_together.adapter import agents
from swe_together.adapter.agents import TogetherMixin, wrap
from swe_together.errors import MisuseError


def _known(name: str) -> bool:
    try:
        AgentFactory.get_agent_class(AgentName(name))
    except ValueError:  # a retired name that Harbor itself refuses
        return False
    return True


BUILT_IN = [name for name in sorted(AgentName.values()) if _known(name)]


def test_there_are_built_in_agents() -> None:
    assert len(BUILT_IN) >= 40


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_agent_can_be_wrapped(name: str) -> None:
    cls = wrap(name)
    inner = AgentFactory.get_agent_class(AgentName(name))
    assert issubclass(cls, TogetherMixin)
    assert issubclass(cls, inner)
    assert cls.name() == inner.name()
    assert cls.capabilities == inner.capabilities


def test_same_class_each_time_by_attribute() -> None:
    module = importlib.import_module("swe_together.adapter.agents")
    assert getattr(module, "claude-code") is getattr(module, "claude-code")


def test_a_class_of_ones_own() -> None:
    cls = getattr(agents, "harbor.agents.nop=NopAgent")
    assert cls.name() == "nop"


def test_unknown_agent() -> None:
    with pytest.raises(AttributeError, match="no Harbor agent is called 'clod'"):
        getattr(agents, "clod")  # noqa: B009


def test_settings_are_popped_before_the_inner_agent_sees_them(tmp_path) -> None:  # type: ignore[no-untyped-def]
    cls = wrap("claude-code")
    agent = cls(logs_dir=tmp_path, model_name="anthropic/x", together={"user": "scripted"}, max_turns=30)
    assert agent.name() == "claude-code"
    cls.preflight({"together": {"user": "scripted"}, "max_turns": 30})


def test_wrong_setting_stops_the_job_before_it_starts() -> None:
    with pytest.raises(MisuseError):
        wrap("claude-code").preflight({"together": {"usr": "x"}})


def test_prompt_template_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    template = tmp_path / "t.j2"
    template.write_text("{{ instruction }}")
    with pytest.raises(MisuseError, match="prompt_template_path"):
        wrap("claude-code")(logs_dir=tmp_path, model_name="anthropic/x", prompt_template_path=str(template))
