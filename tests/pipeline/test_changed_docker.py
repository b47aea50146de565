"""What only containers show: a test that never fails, a wrong patch that passes, a solution left in the image.

Of each task only the state that tells is run; `swe-together check` runs all.
"""

from pathlib import Path

import pytest

from swe_together.pipeline.check import bar
from tests.pipeline.test_changed import text
from tests.pipeline.test_check_docker import leak, spoil, state

pytestmark = pytest.mark.docker

NEVER_FAILS = text("tests/cases.py", 'equal(_split(run, "red;green"), ["red", "green"])', 'equal("red", "red")')
SOLVED = text("environment/Dockerfile", "WORKDIR /workspace", "COPY answer.patch /opt/answer.patch\nWORKDIR /workspace")
ONLY_COMMAS = text("solution/wrong-no-semicolons.patch", 'text.split(","))\n', 'text.replace(";", ",").split(","))\n')


async def test_a_test_that_never_fails(task: Path) -> None:
    subject, found = await state(spoil(task, "never-fails", NEVER_FAILS), "nothing")
    verdict = bar.nothing_done(subject, {"nothing": found})
    assert not verdict.passed and "fail-to-pass cases pass already: semicolon-splits" in verdict.detail


async def test_a_wrong_patch_that_passes(task: Path) -> None:
    subject, found = await state(spoil(task, "passes", ONLY_COMMAS), "wrong-no-semicolons")
    proof = next(proof for proof in subject.wrong if proof.name == "wrong-no-semicolons")
    verdict = bar.wrong(subject, proof, {proof.name: found})
    assert not verdict.passed
    assert "passes cases of its goal semicolons: mixed-separators-split, semicolon-splits" in verdict.detail


async def test_a_solution_in_the_image(task: Path) -> None:
    def change(copy: Path) -> None:
        patches = [(copy / "solution" / f"turn-{turn}.patch").read_text() for turn in range(3)]
        (copy / "environment" / "answer.patch").write_text("".join(patches))
        SOLVED(copy)

    found = {verdict.item: verdict for verdict in await leak(spoil(task, "leaks", change))}
    verdict = found["no answer in the image"]
    assert not verdict.passed and "/opt/answer.patch holds 6 lines of the solution" in verdict.detail
