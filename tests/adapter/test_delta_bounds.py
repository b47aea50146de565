"""The delta within bounds: floods, hostile trees, and what is in the tree now."""

from __future__ import annotations

import asyncio
import shlex

import pytest

from swe_together import defaults
from swe_together.adapter import delta as module
from swe_together.adapter.container import script_command
from swe_together.adapter.delta import DELTA_DIR, Delta
from swe_together.errors import EnvironmentFault
from tests.support.containers import DockerCli
from tests.support.deltas import TREES, started, told, work


# --- bounds ----------------------------------------------------------------------------------------------------------
@pytest.mark.docker
async def test_a_flood_of_changes_is_told_within_bounds(box: DockerCli) -> None:
    delta = await started(box)
    await work(box, "mkdir many; cd many; seq -f 'f%g' 25000 | xargs touch; yes line | head -n 300000 > ../long.txt")
    await work(box, "truncate -s 50G sparse.img; yes x | head -c 70000000 > heavy; echo small > small.txt")
    found = await delta.turn()
    assert found.changes_total == len(found.paths) == 25_004
    assert len(found.changes) == defaults.CHANGES_SHOWN
    assert len(found.diff) <= defaults.DIFF_CHARS < found.diff_chars
    await work(box, "truncate -s 60G sparse.img; rm -r many")
    assert (await delta.turn()).changes_total == 25_001


@pytest.mark.docker
async def test_where_the_diff_does_not_fit_the_smallest_changes_are_shown(box: DockerCli) -> None:
    delta = await started(box)
    await work(box, "seq 100000 > a_lock.json; echo small > m.txt; echo tiny > z.txt; seq 2000 > n.txt")
    found = await delta.turn()
    assert len(found.diff) == defaults.DIFF_CHARS < found.diff_chars
    assert "+small" in found.diff and "+tiny" in found.diff and "+1999" in found.diff
    assert found.diff.index("a_lock.json") < found.diff.index("m.txt") < found.diff.index("z.txt")


@pytest.mark.docker
async def test_lines_of_the_session_are_bounded_smallest_files_first(
    box: DockerCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    delta = await started(box)
    await work(box, "seq 1000 > big.txt; echo small > small.txt")
    await delta.turn()
    monkeypatch.setattr(defaults, "DIFF_BYTES", 1000)
    assert await delta.session_lines() == ("+small", True)
    monkeypatch.undo()
    text, cut = await delta.session_lines()
    assert text.startswith("+small\n+1\n") and text.endswith("+1000") and not cut
    await work(box, "yes | head -c 1100000 > huge.txt")
    await delta.turn()
    assert (await delta.session_lines()).cut


@pytest.mark.docker
async def test_the_price_of_a_turn_on_a_large_repository(box: DockerCli) -> None:
    """In seconds of processor time, so that a busy machine doesn't count: 5,000 files of 20 kB."""
    await work(
        box,
        """mkdir p; for d in $(seq 50); do mkdir p/$d; for f in $(seq 100); do
        printf '%01000d%019000d\\n' $f$d $d > p/$d/$f.py; done; done; git init --quiet; git add --all""",
    )
    base = {"folder": DELTA_DIR, "trees": ["workspace"], "exclude": [], "strip": len("workspace/")}
    turn = {**base, "do": "turn", "changes": 200, "paths": 100_000, "diff_chars": 20_000}

    async def price(request: dict[str, object]) -> float:
        command = script_command("delta", request)
        printed = await box.run(f"TIMEFORMAT='%U %S'; time {{ ({command}) > /dev/null; }}")
        return sum(map(float, printed.split()))

    assert await price({**base, "do": "baseline"}) < 2
    await asyncio.sleep(2)  # files that are older than this are not read again
    await price(turn)
    assert await price(turn) < 0.6
    await work(box, "for d in $(seq 50); do echo more >> p/$d/7.py; done")
    assert await price(turn) < 0.8


# --- hostile trees ---------------------------------------------------------------------------------------------------
@pytest.mark.docker
async def test_nothing_in_the_tree_holds_the_instrument_or_runs(box: DockerCli) -> None:
    delta = await started(box, "git init --quiet; echo a > a.txt; git add a.txt")
    pattern = "*a" * 40 + "b"
    await work(
        box,
        f"""mkdir one two three; mkfifo one/.gitignore one/.gitattributes two/.git three/.gitmodules; echo b > one/b.txt
        printf '{pattern}\\n' > two/.gitignore; touch two/{"a" * 200}; ln -s . three/loop
        ln -s /proc/self/fd/0 three/fd; git config core.fsmonitor 'touch /workspace/TRAP'
        git config core.hooksPath /workspace
        echo c > .git/index.lock
        printf '#!/bin/sh\\ntouch /workspace/TRAP\\n' > post-index-change; chmod 755 post-index-change""",
    )
    found = await asyncio.wait_for(delta.turn(), 60)
    assert {"one/b.txt", "three/loop", "three/fd", "post-index-change"} <= set(found.paths)
    assert not await delta.path_exists("TRAP")
    await work(box, "rm -rf .git; mkfifo .git; echo d > a.txt")
    assert told(await delta.turn()) == {"a.txt": ("modified", 1, 1)}
    await work(box, "rm -rf .git; find . -mindepth 1 -delete")
    assert {change.status for change in (await delta.turn()).changes} == {"deleted"}


@pytest.mark.docker
async def test_a_tree_that_changes_all_the_time_is_no_fault(box: DockerCli) -> None:
    delta = await started(box, "echo fixed > fixed.txt")
    flap = "while :; do rm -rf x y; mkdir -p x/y; ln -s x y; : > x/y/z; rm -rf x; : > x; echo $RANDOM > log.txt; done"
    await work(box, f"nohup bash -c {shlex.quote(flap)} > /dev/null 2>&1 & echo new > new.txt")
    for _ in range(8):
        assert "fixed.txt" not in (await delta.turn()).paths


@pytest.mark.docker
async def test_the_agent_can_neither_read_nor_change_what_is_kept(box: DockerCli) -> None:
    delta = await started(box, "echo secret > a.txt")
    for attempt in (f"ls {DELTA_DIR}", f"cat {DELTA_DIR}/memory", f"rm -r {DELTA_DIR}", f"touch {DELTA_DIR}/x"):
        assert (await box.exec(attempt, user="agent")).return_code != 0
    plant = "mkdir -p bin; printf '#!/bin/sh\ntouch /workspace/TRAP\n' | tee bin/git bin/python3; chmod 755 bin/*"
    await work(box, f"{plant}; echo 'import os; os._exit(3)' | tee json.py os.py sitecustomize.py")
    hostile = {"PATH": "/workspace/bin:/usr/bin:/bin", "PYTHONPATH": "/workspace", "GIT_DIR": "/workspace/.git"}
    await box.exec(script_command("delta", {"folder": DELTA_DIR, "trees": [], "exclude": [], "do": "x"}), env=hostile)
    assert "os.py" in (await delta.turn()).paths
    assert not await delta.path_exists("TRAP")


# --- the tree now ----------------------------------------------------------------------------------------------------
@pytest.mark.docker
async def test_paths_and_contents_now(box: DockerCli) -> None:
    delta = await started(
        box,
        r"""mkdir -p src/pkg build .git; echo code > src/pkg/mod.py; echo out > build/out.js; echo build/ > .gitignore
        echo ref > .git/HEAD; ln -s pkg/mod.py src/in; ln -s /etc/passwd src/out; ln -s ../../etc src/up
        ln -s gone src/lost; ln -s pkg src/dir; mkfifo pipe; printf 'caf\351\n' > latin.txt; echo x > 'a b{c}.txt'""",
    )
    there = ["src", "src/pkg/mod.py", "build/out.js", ".git/HEAD", "src/in", "src/lost", "src/dir/mod.py", "pipe"]
    there += ["src/*", "**/mod.py", "src/**", "*/out.js", "**/out.js", "**/HEAD", "src/[l]ost", "s*/p*/*.py"]
    there += ["a b\\{c\\}.txt"]
    for glob in there:
        assert await delta.path_exists(glob), glob
    absent = ["src/out", "src/up", "src/up/passwd", "src/ou?", "src/up/**", "nope", "no/*", "*.py", "src/d*/mod.py"]
    absent += ["../etc/passwd", "src/../../etc/passwd"]
    for glob in absent:
        assert not await is_there(delta, glob), glob
    assert await delta.file_bytes("src/pkg/mod.py", 100) == b"code\n"
    assert await delta.file_bytes("src/pkg/mod.py", 2) == b"co"
    assert await delta.file_bytes("src/dir/mod.py", 100) == await delta.file_bytes("src/in", 100) == b"code\n"
    assert await delta.file_bytes("latin.txt", 100) == b"caf\xe9\n"
    for path in ("src/out", "src/up/passwd", "src/lost", "src", "pipe", "nope", "", "/etc/passwd", "../etc/x", "a\0b"):
        assert await delta.file_bytes(path, 100) is None, path


async def is_there(delta: Delta, glob: str) -> bool:
    try:
        return await delta.path_exists(glob)
    except ValueError:
        return False


@pytest.mark.docker
async def test_what_can_not_be_told_is_a_fault(box: DockerCli, monkeypatch: pytest.MonkeyPatch) -> None:
    delta = Delta(box, TREES)
    with pytest.raises(EnvironmentFault, match="reading the turn's delta"):
        await delta.turn()
    await work(box, "touch a b c d e")
    monkeypatch.setattr(module, "LISTED_PATHS", 3)
    with pytest.raises(EnvironmentFault, match="can't be told"):
        await delta.path_exists("*.py")
    await box.run("mv /usr/bin/git /usr/bin/git.gone")
    with pytest.raises(EnvironmentFault, match="the image has no /usr/bin/git"):
        await delta.baseline()
    await box.run("mv /usr/bin/python3 /usr/bin/python3.gone")
    with pytest.raises(EnvironmentFault, match="need /usr/bin/python3"):
        await delta.baseline()
