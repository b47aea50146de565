"""Writes docs/reliability.json and docs/reliability.md from a run of the faults.

``python -m tests.bench.faults``: all of them (needs Docker and root). Whatever stands behind it goes to pytest, for
example ``-k endpoint``: faults that weren't injected keep what was counted last. Exit code 1: something did not hold;
the page says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from swe_together.files import write_atomically
from tests.support.faults_doc import DOCUMENT, RESULTS, ROOT, counted, read_results, render


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for."""
    told = list(sys.argv[1:] if arguments is None else arguments)
    with tempfile.TemporaryDirectory(prefix="swe-together-faults-") as folder:
        file = Path(folder) / "rows.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.support.fault_rows"]
        done = subprocess.run(
            [*command, "-m", "faults", "tests/faults", *told],
            cwd=ROOT, env={**os.environ, "FAULT_ROWS": str(file)}, check=False,
        )  # fmt: skip
        rows = json.loads(file.read_text(encoding="utf-8"))
    results = read_results() if RESULTS.exists() else {"faults": {}}
    results["faults"] |= counted(rows, datetime.now(UTC).date().isoformat())
    write_atomically(RESULTS, json.dumps(results, indent=1) + "\n")
    write_atomically(DOCUMENT, render(results))
    print(f"wrote {RESULTS} and {DOCUMENT}")
    return 1 if done.returncode else 0


if __name__ == "__main__":
    raise SystemExit(main())
