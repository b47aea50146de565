"""Writes docs/agents.json and docs/agents.md from what tests find out about every built-in agent.

``python -m tests.bench.agents_matrix``: the contract tests anew, which take a minute. ``--clients`` runs the real
clients as well (needs Docker), ``--versions`` every supported version of Harbor; otherwise what was found last stays.
Exit code 1: a test failed, and nothing was written.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.agents.clients import CLIENTS
from tests.support.agents_doc import DOCUMENT, RESULTS, ROOT, read_results, render

REAL = ("tests/agents/test_real_clients.py", "tests/agents/test_usage.py", "-m", "agents")
CONTRACT = ("tests/adapter/test_contract.py", "tests/adapter/test_terminus.py")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.agents_matrix", description=__doc__)
    parser.add_argument("--clients", action="store_true", help="run the real clients in containers")
    parser.add_argument("--versions", action="store_true", help="run every supported version of Harbor")
    told = parser.parse_args(arguments)
    results = read_results() if RESULTS.exists() else {"clients": {}, "versions": {}}
    try:
        results |= {"harbor": version("harbor"), "rows": _found(*CONTRACT)["rows"]}
        if told.clients:
            passed = _found(*REAL)["clients"]
            results["clients"] = {name: CLIENTS[name].shown for name in passed}
        if told.versions:
            results["versions"] = _versions()
    except subprocess.CalledProcessError as error:
        print(f"agents_matrix: {' '.join(map(str, error.cmd))} ended with {error.returncode}; nothing was written.")
        return 1
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    DOCUMENT.write_text(render(results), encoding="utf-8")
    print(f"wrote {RESULTS} and {DOCUMENT}")
    return 0


def _found(*tests: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="swe-together-agents-") as folder:
        file = Path(folder) / "rows.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.support.agent_rows"]
        subprocess.run([*command, *tests], cwd=ROOT, env={**os.environ, "AGENT_ROWS": str(file)}, check=True)
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return found


def _versions() -> dict[str, dict[str, int]]:
    with tempfile.TemporaryDirectory(prefix="swe-together-harbor-") as folder:
        variables = {**os.environ, "REPORTS": folder, "SWE_TOGETHER_PYTHON": sys.executable}
        subprocess.run([ROOT / "setup" / "harbor-versions.sh"], env=variables, check=True)
        return {path.stem.removeprefix("harbor-"): _counts(path) for path in sorted(Path(folder).glob("*.xml"))}


def _counts(report: Path) -> dict[str, int]:
    suite = ET.parse(report).getroot().find("testsuite")
    if suite is None:
        raise ValueError(f"{report} holds no test suite")
    number = {name: int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")}
    failed = number["failures"] + number["errors"]
    return {"passed": number["tests"] - failed - number["skipped"], "failed": failed}


if __name__ == "__main__":
    raise SystemExit(main())
