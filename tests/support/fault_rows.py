"""A plugin of pytest that counts faults: ``-p tests.support.fault_rows``.

A test says what it injects by ``record_property("fault", {"fault": …, "seed": …})``, as often as it does; whether all
that must hold afterwards held, its end says. ``FAULT_ROWS`` names the file.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

_rows: list[dict[str, Any]] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what a test injected; what goes wrong afterwards, when its fixtures end, isn't right either."""
    mine: list[Any] = [value for name, value in report.user_properties if name == "fault"]
    if report.when == "call":
        _rows.extend({**row, "test": report.nodeid, "good": report.passed} for row in mine)
    elif report.when == "teardown" and not report.passed:
        for row in _rows:
            row["good"] = row["good"] and row["test"] != report.nodeid
    # At once: a run that is cut off has counted what it had done.
    Path(os.environ["FAULT_ROWS"]).write_text(json.dumps(_rows), encoding="utf-8")
