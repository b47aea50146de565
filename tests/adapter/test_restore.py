"""Restoring the final state: trees, exclusions, and everything that must not be restored."""

from __future__ import annotations

import dataclasses
import shlex

import pytest

from swe_together.adapter.state import STATE_PATH, collect_command, differences, manifest
from tests.support.state_pair import TREES, Pair


# --- trees and exclusions --------------------------------------------------------------------------------------------
@pytest.mark.docker
async def test_excluded_paths_stay_as_the_image_has_them_unless_their_folder_is_gone(pair: Pair) -> None:
    image = "mkdir -p {a,b,c}/node_modules && for p in a b c; do echo image > $p/node_modules/x; echo $p > $p/f; done"
    for container in (pair.agent, pair.fresh):
        await container.run(image, user="agent", cwd="/workspace")
    await pair.agent.run("echo mine > a/node_modules/x; rm -r b c; echo file > c", user="agent", cwd="/workspace")
    exclude = tuple(f"workspace/{name}/node_modules" for name in "abc")
    for _ in range(2):  # the judge restores once more, after tests have run
        before, after = await pair.cycle(exclude=exclude)
        assert differences(before, after) == []
        assert await pair.fresh.run("cat /workspace/a/node_modules/x; ls /workspace") == "image\na\nc\n"
        await pair.fresh.run("rm -r /workspace/a/f /workspace/c; mkdir -p /workspace/c/d; echo junk > /workspace/.junk")


@pytest.mark.docker
async def test_a_tree_may_be_missing_or_replaced(pair: Pair) -> None:
    trees = ["/workspace", "/srv/gone", "/srv/link", "/srv/spaced name"]
    for container in (pair.agent, pair.fresh):
        await container.run("mkdir -p /srv/gone/x /srv/link/x '/srv/spaced name/x'")
    await pair.agent.run("rm -r /srv/gone /srv/link; ln -s /etc /srv/link; mkfifo '/srv/spaced name/pipe'")
    expected = await manifest(pair.agent, trees)
    await pair.agent.run(collect_command(trees))
    await pair.carry([STATE_PATH])
    await pair.fresh.run("bash /tests/restore.sh")
    assert differences(expected, await manifest(pair.fresh, trees)) == []
    assert expected[b"srv/link"] == dataclasses.replace(expected[b"srv/link"], type="link", target=b"/etc")
    assert b"srv/gone" not in expected and b"srv/spaced name/pipe" in expected


@pytest.mark.docker
async def test_paths_too_long_to_name_do_not_keep_work_from_being_graded(pair: Pair) -> None:
    dig = "import os\nfor _ in range(30):\n os.mkdir('d' * 200)\n os.chdir('d' * 200)\nopen('f', 'w')"
    await pair.agent.run(f"echo work > work.txt; python3 -c {shlex.quote(dig)}", user="agent", cwd="/workspace")
    before, after = await pair.cycle()
    assert after[b"workspace/work.txt"] == before[b"workspace/work.txt"]
    assert all(len(line) > 3900 for line in differences(before, after))


# --- failures --------------------------------------------------------------------------------------------------------
@pytest.mark.docker
async def test_a_failed_capture_leaves_no_state(pair: Pair) -> None:
    await pair.agent.run(collect_command(TREES))
    await pair.agent.run("head -c 400000 /dev/urandom > /workspace/big")
    done = await pair.agent.exec(f"trap '' XFSZ; ulimit -f 100; {collect_command(TREES)}")
    assert done.return_code == 1
    assert "the state was not packed" in (done.stdout or "")
    assert await pair.agent.run("ls -A /var/lib/swe-together") == ""


@pytest.mark.docker
async def test_a_missing_or_broken_state_is_never_restored(pair: Pair) -> None:
    await pair.agent.run("for i in $(seq 50); do head -c 3000 /dev/urandom > f$i; done", user="agent", cwd="/workspace")
    await pair.agent.run(collect_command(TREES))
    size = int(await pair.agent.run(f"stat -c %s {STATE_PATH}"))
    await pair.carry([STATE_PATH])
    await pair.fresh.run(f"cp {STATE_PATH} /whole.tar; echo before > /workspace/mine")
    cuts = [f"truncate -s {at // 512 * 512} {STATE_PATH}" for at in (0, 512, size // 3, size - 10_240)]
    cuts += [f"truncate -s {size // 2 + 77} {STATE_PATH}", f"rm {STATE_PATH}", f"ln -sf /whole.tar {STATE_PATH}"]
    cuts += [f"printf XXXX | dd of={STATE_PATH} bs=1 seek=1540 conv=notrunc status=none"]
    for cut in cuts:
        await pair.fresh.run(f"rm -f {STATE_PATH}; cp /whole.tar {STATE_PATH}; {cut}")
        done = await pair.fresh.exec("bash /tests/restore.sh")
        assert (done.return_code, (done.stdout or "")[:9]) == (3, "restore: "), cut
        assert await pair.fresh.run("ls /workspace") == "mine\n", f"{cut}: the tree was touched"
    await pair.fresh.run(
        f"rm -f {STATE_PATH}; cp /whole.tar {STATE_PATH}; bash /tests/restore.sh; [ ! -e mine ]", cwd="/workspace"
    )


@pytest.mark.docker
async def test_nobody_but_root_can_touch_the_state_between_two_restores(pair: Pair) -> None:
    await pair.agent.run(collect_command(TREES))
    assert (await pair.agent.exec(f"cat {STATE_PATH}", user="agent")).return_code != 0
    await pair.carry([STATE_PATH])
    await pair.fresh.run("chmod -R 777 /var/lib/swe-together; bash /tests/restore.sh")
    for attempt in (f"rm -f {STATE_PATH}", f"echo > {STATE_PATH}", "mv /var/lib/swe-together /tmp/x"):
        assert (await pair.fresh.exec(attempt, user="agent")).return_code != 0


@pytest.mark.docker
async def test_the_programs_of_the_agent_have_no_part_in_packing(pair: Pair) -> None:
    plant = "mkdir bin; for p in tar mv rm mkdir printf; do printf '#!/bin/sh\ntouch /workspace/TRAP' > bin/$p; done"
    await pair.agent.run(f"{plant}; chmod 755 bin/*", user="agent", cwd="/workspace")
    command = f"export PATH=/workspace/bin:$PATH TAR_OPTIONS=--totals; {collect_command(TREES)}"
    assert (await pair.agent.exec(command, cwd="/workspace")).stdout is None
    assert (await pair.agent.exec("ls /workspace/TRAP")).return_code != 0
