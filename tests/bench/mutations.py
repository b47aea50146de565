"""Puts each known failure back, in a copy of the tree, and sees its test fail.

``python -m tests.bench.mutations [ID…]``: all of them, or those named; ``--no-docker`` leaves out those whose test
needs containers. First every test must pass as the tree is; then each edit of tests/mutations.toml is made alone. Exit
code 0: each was caught. 1: one was not, or a test fails without it. 2: misuse.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.support.ledger import ROOT, Mutation, marks_of, read_mutations

TEST_SEC = 900.0
_LEFT_OUT = shutil.ignore_patterns(".git", ".var", ".venv*", "__pycache__", "jobs", "*.egg-info", ".*_cache")
_FAILED = 1
"""pytest's exit code where tests ran and failed; a module that can't be imported has another one."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the mutations that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.mutations", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--no-docker", action="store_true", help="leave out tests that need containers")
    told = parser.parse_args(arguments)
    known = {mutation.id: mutation for mutation in read_mutations()}
    unknown = [name for name in told.ids if name not in known]
    if unknown:
        parser.error(f"there is no mutation {unknown[0]}; there are {', '.join(known)}")
    asked = [known[name] for name in told.ids] or list(known.values())
    if told.no_docker:
        asked = [mutation for mutation in asked if "docker" not in (marks_of(mutation.function) or ())]
    try:
        for mutation in asked:
            mutation.mutated()
    except ValueError as error:
        print(f"{error}. Correct tests/mutations.toml.")
        return 1
    with tempfile.TemporaryDirectory(prefix="swe-together-mutations-") as folder:
        tree = Path(shutil.copytree(ROOT, Path(folder) / "tree", symlinks=True, ignore=_LEFT_OUT))
        _must_be_imported_from(tree)
        if not _all_pass(tree, asked):
            return 1
        missed = [mutation.id for mutation in asked if not _caught(tree, mutation)]
    print(f"{len(asked) - len(missed)} of {len(asked)} caught" + (f"; not {', '.join(missed)}" if missed else ""))
    return 1 if missed else 0


def _caught(tree: Path, mutation: Mutation) -> bool:
    file = tree / mutation.file
    began, original = time.monotonic(), file.read_bytes()
    file.write_text(mutation.mutated(tree), encoding="utf-8")
    try:
        code, output = _test(tree, [mutation.test])
    finally:
        file.write_bytes(original)
    caught = code == _FAILED
    print(
        f"{mutation.id:4} {'caught' if caught else 'NOT CAUGHT'} in {time.monotonic() - began:.0f} s: {mutation.test}"
    )
    print(f"     {_reason(output)}" if caught else f"     pytest ended with {code}\n{output[-2000:]}")
    sys.stdout.flush()
    return caught


def _reason(output: str) -> str:
    """The first line by which pytest explains a failure."""
    return next((line.strip()[:200] for line in output.splitlines() if line.startswith("E  ")), "")


def _all_pass(tree: Path, asked: Sequence[Mutation]) -> bool:
    """Whether the named tests pass as the tree is: a test that fails anyhow sees nothing."""
    code, output = _test(tree, sorted({mutation.test for mutation in asked}))
    if code:
        print(f"The tests fail before anything is changed:\n{output[-4000:]}")
    return code == 0


def _test(tree: Path, tests: Sequence[str]) -> tuple[int | None, str]:
    """Exit code of pytest, None where it was cut off, and what it printed."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "docker or not docker"]
    try:
        done = subprocess.run(
            [*command, *tests], cwd=tree, env=_environment(tree), capture_output=True, text=True, timeout=TEST_SEC,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        return None, str(late)
    return done.returncode, done.stdout + done.stderr


def _environment(tree: Path) -> dict[str, str]:
    # No bytecode: an edit may leave size and time of a file as they were.
    return {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}


def _must_be_imported_from(tree: Path) -> None:
    code = "import swe_together; print(swe_together.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tree, env=_environment(tree), capture_output=True, text=True, check=True
    )
    if not Path(done.stdout.strip()).is_relative_to(tree):
        raise SystemExit(f"swe_together would be imported from {done.stdout.strip()}, not from the copy in {tree}")


if __name__ == "__main__":
    raise SystemExit(main())
