"""The repository's own tests as the session left them: plan.json says which, repository_tests.py runs them."""

import json
from pathlib import Path
from typing import Any

from harness import Runner, case
from repository_tests import Suite

PLAN = json.loads((Path(__file__).parent / "plan.json").read_text(encoding="utf-8"))
SUITE = Suite(PLAN)


def declare(entry: dict[str, Any]) -> None:
    def check(run: Runner) -> None:
        SUITE.require(run, entry["tests"])

    check.__name__ = entry["name"].replace("-", "_")
    case(turn=entry["turn"], kind=entry["kind"])(check)


for one in PLAN["cases"]:
    declare(one)
