"""Whatever is drawn at random comes from a generator of its own: runs side by side don't disturb each other's draws."""

import ast
from pathlib import Path

import pytest

from tests.support.ledger import ROOT

PACKAGES = ("adapter", "judge", "memorycode", "pipeline", "report", "simulator", "swe_together")
FILES = sorted(
    file
    for package in PACKAGES
    for file in (ROOT / package).rglob("*.py")
    if "ready" not in file.relative_to(ROOT).parts and not any(part.is_symlink() for part in file.parents)
)
OWN = {"random": {"Random", "SystemRandom"}, "numpy.random": {"default_rng", "Generator", "SeedSequence", "PCG64"}}


def global_draws(text: str) -> list[str]:
    """Uses of the generators that all of a process share: of ``random`` and of ``numpy.random``."""
    names: dict[str, str] = {}
    found = []
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name == "random"}
            names |= {alias.asname or "numpy": "numpy" for alias in node.names if alias.name.split(".")[0] == "numpy"}
        if isinstance(node, ast.ImportFrom) and node.module in OWN:
            found += [alias.name for alias in node.names if alias.name not in OWN[node.module]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            path = ast.unparse(node.value)
            head, _, rest = path.partition(".")
            module = ".".join(part for part in (names.get(head), rest) if part) if head in names else ""
            if module in OWN and node.attr not in OWN[module]:
                found.append(f"{module}.{node.attr}")
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_nothing_draws_from_the_generators_that_all_share(file: Path) -> None:
    assert global_draws(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import random\nrandom.seed(1)", ["random.seed"]),
        ("import random as r\nr.choice([1])", ["random.choice"]),
        ("from random import shuffle", ["shuffle"]),
        ("import numpy as np\nnp.random.seed(1)", ["numpy.random.seed"]),
        ("import numpy\nnumpy.random.choice([1])", ["numpy.random.choice"]),
        ("from numpy.random import rand", ["rand"]),
        ("import random\nrng = random.Random(1)\nrng.shuffle([])", []),
        ("from random import Random\nimport numpy as np\nnp.random.default_rng(1).choice([1])", []),
    ],
)
def test_such_draws_are_seen(text: str, found: list[str]) -> None:
    assert global_draws(text) == found


def test_every_package_is_looked_at() -> None:
    assert {file.relative_to(ROOT).parts[0] for file in FILES} == set(PACKAGES)
