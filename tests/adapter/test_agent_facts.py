"""The table of facts names agents that there are, and says where each fact was found."""

import re

from harbor.models.agent.name import AgentName

from swe_together.adapter.agent_facts import AGENT_FACTS, UNLISTED, facts_of

# Came to Harbor after the oldest version that is supported.
NOT_IN_EVERY_HARBOR = {"code-puppy", "opencode-v2"}


def test_every_listed_agent_is_one_of_harbors() -> None:
    known = AgentName.values() | NOT_IN_EVERY_HARBOR
    assert [name for name in AGENT_FACTS if name not in known] == []


def test_no_listed_agent_is_without_a_fact_or_its_source() -> None:
    for name, facts in AGENT_FACTS.items():
        told = facts.tokens, facts.cost, facts.reply, facts.one_conversation, facts.apart
        assert told != ("steps", "as tokens", None, (), UNLISTED.apart), name
        assert len(facts.source) > 10, name


def test_patterns_are_patterns() -> None:
    for facts in AGENT_FACTS.values():
        if facts.reply is not None:
            re.compile(facts.reply.after or "")
            re.compile(facts.reply.drop or "")


def test_an_agent_of_ones_own_needs_none() -> None:
    assert facts_of("my-agent") is UNLISTED
