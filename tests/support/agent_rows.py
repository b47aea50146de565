"""A plugin of pytest that writes what tests found out about agents: ``-p tests.support.agent_rows``.

A test says so by ``record_property("agent", {...})``; a row counts only if its test passed. Tests of real clients,
below tests/agents, need not say anything: a client has a row if all its tests passed. ``AGENT_ROWS`` names the file.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

_rows: list[dict[str, Any]] = []
_clients: dict[str, bool] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a passed test's rows, and of a client whether all went well."""
    client = next((value for name, value in report.user_properties if name == "client"), None)
    if client is not None:
        _clients[client] = _clients.get(client, True) and report.passed
    if report.when == "call" and report.passed:
        _rows.extend(value for name, value in report.user_properties if name == "agent")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A real client is known by the parameter that its test was collected for."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        if callspec is not None and "tests/agents/" in item.nodeid and "kind" in callspec.params:
            item.user_properties.append(("client", callspec.params["kind"][0]))


def pytest_sessionfinish() -> None:
    """Write the file."""
    document = {"rows": _rows, "clients": sorted(name for name, good in _clients.items() if good)}
    Path(os.environ["AGENT_ROWS"]).write_text(json.dumps(document), encoding="utf-8")
