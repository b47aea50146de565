"""The kinds of trials, and marks by which a test is run for each of some."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.agents.clients import CLIENTS, NATIVE

RESTATED = "continuation=restated"
AFRESH = ("claude-code", "codex", "kimi-code", "pi")
"""Clients that begin new conversations as well: where tokens or cost are counted otherwise then. More take long."""

Kind = tuple[str, ...]
"""A client, and the plugin's settings of its trial."""


def each(kinds: Iterable[Kind]) -> pytest.MarkDecorator:
    """A mark by which a test is run for each of these."""
    return pytest.mark.parametrize("kind", [pytest.param(kind, id="-".join(kind)) for kind in kinds])


own_way = each((name,) for name in sorted(CLIENTS))
"""Every client, continued as the adapter continues it."""
native = each((name,) for name in NATIVE)
"""Those that continue their own conversation."""
restated = each((name, RESTATED) for name in AFRESH)
"""Some of them, but every turn is a new conversation that begins with an account of the old one."""
either_way = each((*((name,) for name in sorted(CLIENTS)), *((name, RESTATED) for name in AFRESH)))
"""All of these."""
