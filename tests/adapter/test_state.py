"""The final state: packed and restored without the least difference, and every difference is seen."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
from collections import Counter

import pytest

from swe_together.adapter.container import script_command
from swe_together.adapter.state import (
    STATE_PATH,
    Entry,
    Manifest,
    collect_command,
    differences,
    manifest,
)
from swe_together.errors import EnvironmentFault
from tests.support import repo_states
from tests.support.state_pair import TREES, Pair, Recorded

STATES = 304
BATCH = 38
LIST_TREES = script_command("manifest", {"trees": ["workspace"], "exclude": [], "limit": 100_000})


# --- identity --------------------------------------------------------------------------------------------------------
async def build_and_pack(pair: Pair, seeds: range) -> tuple[list[str], list[Manifest]]:
    """Build each state as the agent, list it and pack it; returns the features and what was listed."""
    driver = f"""
        set -eu
        for seed in {" ".join(map(str, seeds))}; do
            find /workspace -mindepth 1 -delete
            chmod 755 /workspace
            setpriv --reuid=agent --regid=agent --init-groups env HOME=/home/agent \
                python3 /opt/repo_states.py $seed /workspace
            ({LIST_TREES})
            ({collect_command(TREES)})
            mkdir -p /var/packed
            mv {STATE_PATH} /var/packed/$seed.tar
        done
        tar -C /var -cf /var/packed.tar packed && rm -r /var/packed
    """
    return await listed(await pair.agent.run(driver, timeout_sec=300))


async def restore(pair: Pair, seeds: range) -> list[Manifest]:
    driver = f"""
        set -eu
        mkdir -p /var/lib/swe-together
        tar -C /var -xf /var/packed.tar
        for seed in {" ".join(map(str, seeds))}; do
            mv /var/packed/$seed.tar {STATE_PATH}
            bash /tests/restore.sh
            ({LIST_TREES})
        done
    """
    return (await listed(await pair.fresh.run(driver, timeout_sec=300)))[1]


async def listed(output: str) -> tuple[list[str], list[Manifest]]:
    lines = [line for line in output.splitlines() if line]
    answers = [line for line in lines if line.startswith("swe-together-answer:")]
    return [line for line in lines if line not in answers], [await manifest(Recorded(answer)) for answer in answers]


@pytest.mark.docker
async def test_every_entry_of_every_state_is_restored(pair: Pair) -> None:
    seen: Counter[str] = Counter()
    entries = 0
    batches = [range(start, start + BATCH) for start in range(0, STATES, BATCH)]
    restoring: asyncio.Task[list[Manifest]] | None = None
    built: tuple[range, list[str], list[Manifest]] | None = None
    for seeds in [*batches, None]:
        # One container builds the next states while the other one restores the last.
        coming = await build_and_pack(pair, seeds) if seeds is not None else ([], [])
        if restoring is not None and built is not None:
            for seed, names, expected, found in zip(*built, await restoring, strict=True):
                assert differences(expected, found) == [], f"seed {seed}: {names}"
                assert not any(path.endswith(b"TRAP") for path in expected), f"seed {seed}: a planted program ran"
                seen.update(names.split())
                entries += len(expected)
        if seeds is not None:
            await pair.carry(["/var/packed.tar"])
            built, restoring = (seeds, *coming), asyncio.create_task(restore(pair, seeds))
    assert set(seen) == {feature.__name__ for feature in repo_states.FEATURES}
    assert min(seen.values()) >= 5, seen
    assert entries > 40 * STATES
    with pytest.raises(EnvironmentFault):
        await manifest(Recorded("no answer"))


# --- a capture that loses something turns the comparison red ---------------------------------------------------------
CRLF_BY_GIT = """\
cd /workspace && git config --system --replace-all safe.directory '*' && cp -a .git /tmp/git \
&& git -c core.autocrlf=input add --all && git ls-files -z | xargs -0 rm && git checkout-index --all --force \
&& chown -R agent: . && rm -r .git && mv /tmp/git .git && chmod 600 private.txt && chmod 4755 setuid.sh"""
STRIPPED = r"""python3 - <<'END'
import pathlib
for path in pathlib.Path("/workspace").glob("[a-z]*"):
    path.write_bytes(path.read_bytes().rstrip(b"\n") + b"\n")
END
"""
MODES_DROPPED = "chmod -R u=rwX,go=rX /workspace"
SABOTAGE = {
    "crlf by git": (CRLF_BY_GIT, {"crlf.txt"}),
    "trailing blank lines stripped": (STRIPPED + "true", {"blank.txt"}),
    "modes dropped": (MODES_DROPPED, {"private.txt", "setuid.sh"}),
}


@pytest.mark.docker
async def test_a_lossy_capture_is_seen(pair: Pair) -> None:
    build = r"""
        git init --quiet . && echo '* text=auto' > .gitattributes
        printf 'a\r\nb\r\n' > crlf.txt; printf 'a\n\n\n' > blank.txt; echo x > private.txt; chmod 600 private.txt
        printf '#!/bin/sh\n' > setuid.sh; chmod 4755 setuid.sh; echo plain > plain.txt
        chmod -R go=rX .git
    """
    for name, (sabotage, hit) in SABOTAGE.items():
        await pair.agent.run("find /workspace -mindepth 1 -delete")
        await pair.agent.run(build, user="agent", cwd="/workspace")
        before, after = await pair.cycle()
        assert differences(before, after) == []
        before, after = await pair.cycle(sabotage=sabotage)
        red = {line.split("'")[1].removeprefix("workspace/") for line in differences(before, after)}
        assert red == hit, f"{name}: {differences(before, after)}"


# --- without a container ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("trees", "exclude", "archive"),
    [
        ([], [], STATE_PATH),
        (["workspace"], [], STATE_PATH),
        (["/"], [], STATE_PATH),
        (["/workspace/"], [], STATE_PATH),
        (["/work/../space"], [], STATE_PATH),
        (["/workspace", "/workspace"], [], STATE_PATH),
        (["/workspace", "/workspace/sub"], [], STATE_PATH),
        (["/var"], [], STATE_PATH),
        (["/var/lib/swe-together/x"], [], STATE_PATH),
        (["/work\nspace"], [], STATE_PATH),
        (["/workspace"], ["/workspace/x"], STATE_PATH),
        (["/workspace"], ["other/x"], STATE_PATH),
        (["/workspace"], ["workspace"], STATE_PATH),
        (["/workspace"], ["workspace/a/../b"], STATE_PATH),
        (["/workspace"], [], "state.tar"),
    ],
)
def test_paths_that_can_not_be_served_are_refused(trees: list[str], exclude: list[str], archive: str) -> None:
    with pytest.raises(ValueError, match=r"tree|exclude|path|line feed"):
        collect_command(trees, exclude, archive=archive)


def test_the_command_is_one_line_and_quotes_what_it_is_given() -> None:
    command = collect_command(["/it's here"], ["it's here/$(x)"])
    assert "\n" not in command
    assert """'tree it'"'"'s here'""" in command and """'--exclude=it'"'"'s here/$(x)'""" in command


def test_differences_name_path_and_both_sides() -> None:
    one = Entry("file", 0o644, 0, 0, 0, size=1, sha256="aa")
    other = dataclasses.replace(one, sha256="bb")
    assert differences({b"a": one, b"b": one}, {b"a": one, b"c": one, b"b": other}) == [
        f"b'b': expected {one}, found {other}",
        f"b'c': expected nothing, found {one}",
    ]


async def test_an_answer_that_is_cut_off_is_a_fault() -> None:
    packed = base64.b64encode(b"not compressed").decode()
    for output in ("", "Traceback", f"swe-together-answer:{packed}", "swe-together-answer:@@@"):
        with pytest.raises(EnvironmentFault, match="listing the working trees"):
            await manifest(Recorded(output))
