"""The delta: everything that a turn changed, and nothing done to the agent's repository."""

from __future__ import annotations

import ast
import asyncio
import os
import re
from importlib import resources
from pathlib import Path

import pytest

from swe_together.adapter import container
from swe_together.adapter._scripts.answer import shown
from swe_together.adapter.container import script_command
from swe_together.adapter.delta import Delta, TurnDelta
from swe_together.adapter.state import Entry, Manifest, differences, manifest
from tests.support import repo_states
from tests.support.containers import DockerCli
from tests.support.deltas import TREES, started, told, work

IGNORED = re.compile(rb"^workspace/(build(/|$)|cache[^/]*(/|$)|.*\.log$)")


# --- what a turn changed ---------------------------------------------------------------------------------------------
@pytest.mark.docker
async def test_every_kind_of_change_is_told_with_its_lines(box: DockerCli) -> None:
    delta = await started(
        box,
        r"""mkdir -p src/deep; printf 'a\nb\nc\n' > src/mod.py; printf 'x\n' > gone.txt; printf 'y' > was_file
        printf '#!/bin/sh\n' > run.sh; printf 'bin\0ary' > data.bin; ln -s mod.py src/link
        chmod 644 run.sh; echo s > same""",
    )
    await work(
        box,
        r"""printf 'a\nB\nc\nd\n' > src/mod.py; rm gone.txt was_file; ln -s mod.py was_file; chmod 755 run.sh
        printf 'bin\0ARY' > data.bin; ln -sf other src/link; printf 'one\r\ntwo' > src/deep/crlf.txt; touch same empty
        printf 'odd\n' > $'caf\351 \n.txt'; chmod 600 same; mkdir nothing_in_it; mkfifo pipe
        head -c 1200000 /dev/zero | tr '\0' z > big.txt""",
    )
    found = await delta.turn()
    assert told(found) == {
        "src/mod.py": ("modified", 2, 1),
        "gone.txt": ("deleted", 0, 1),
        "was_file": ("type_changed", 1, 1),
        "run.sh": ("modified", 0, 0),
        "data.bin": ("modified", None, None),
        "src/link": ("modified", 1, 1),
        "src/deep/crlf.txt": ("added", 2, 0),
        "empty": ("added", 0, 0),
        "caf\\xe9 \\x0a.txt": ("added", 1, 0),
        "big.txt": ("added", None, None),
    }
    assert found.changes_total == 10
    assert sorted(found.paths) == sorted(told(found))
    assert found.diff_chars == len(found.diff)
    for expected in (
        "diff --git a/src/mod.py b/src/mod.py\n--- a/src/mod.py\n+++ b/src/mod.py\n@@ -1,3 +1,4 @@\n",
        "@@\n a\n-b\n+B\n c\n+d\n",
        "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n",
        "src/deep/crlf.txt\nnew file mode 100644\n--- /dev/null\n+++ b/src/deep/crlf.txt\n",
        "+one\r\n+two\n\\ No newline at end of file\n",
        "modified (binary or very large): data.bin\n",
        "deleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
        "diff --git a/caf\\xe9 \\x0a.txt b/caf\\xe9 \\x0a.txt\n",
    ):
        assert expected in found.diff
    assert await delta.turn() == TurnDelta()


@pytest.mark.docker
async def test_a_turn_is_told_once_and_the_session_as_a_whole(box: DockerCli) -> None:
    delta = await started(box, "printf '1\\n2\\n3\\n' > a.txt; echo old > b.txt")
    await work(box, "echo 4 >> a.txt; echo '--- tricky' > c.txt")
    assert told(await delta.turn()) == {"a.txt": ("modified", 1, 0), "c.txt": ("added", 1, 0)}
    assert sorted((await delta.session_lines()).text.split("\n")) == ["+--- tricky", "+4"]
    await work(box, "printf '1\\n2\\n3\\n' > a.txt; echo new > b.txt")
    assert told(await delta.turn()) == {"a.txt": ("modified", 0, 1), "b.txt": ("modified", 1, 1)}
    assert await delta.session_lines() == ("-old\n+new\n+--- tricky", False)
    await work(box, "echo later > b.txt")
    assert "+later" not in (await delta.session_lines()).text, "the session's lines are those of the last turn seen"


@pytest.mark.docker
async def test_a_change_that_hides_behind_size_and_time_is_seen(box: DockerCli) -> None:
    """At once after the last look, and later, when what hasn't changed is no longer read."""
    delta = await started(box, "echo one > a.txt; touch -d '2020-01-01 00:00:00' a.txt")
    for number in range(4):
        if number == 3:
            await asyncio.sleep(2.5)
            assert await delta.turn() == TurnDelta()
        await work(box, f"echo tw{number} > a.txt; touch -d '2020-01-01 00:00:00' a.txt")
        assert told(await delta.turn()) == {"a.txt": ("modified", 1, 1)}
    await work(box, "echo tw3 > b.txt; mv b.txt a.txt; touch a.txt")
    assert (await delta.turn()).changes_total == 0


@pytest.mark.docker
async def test_the_delta_is_the_difference_of_the_trees_and_leaves_git_as_it_was(box: DockerCli) -> None:
    await box.upload_file(repo_states.__file__, "/opt/repo_states.py")
    delta = Delta(box, TREES)
    seen = set()
    for seed in range(15):
        await box.run("find /workspace -mindepth 1 -delete; chmod 755 /workspace")
        await work(box, f"python3 /opt/repo_states.py {seed} /workspace base")
        before = await manifest(box, TREES)
        await delta.baseline()
        seen.update((await box.run(f"python3 /opt/repo_states.py {seed} /workspace features", user="agent")).split())
        after = await manifest(box, TREES)
        found = await delta.turn()
        await delta.session_lines()
        expected = {
            shown(os.fsdecode(path.removeprefix(b"workspace/")))
            for path in {*before, *after}
            if as_git_sees(before.get(path)) != as_git_sees(after.get(path)) and not is_left_out(path, after)
        }
        assert set(found.paths) == expected, f"seed {seed}"
        untouched = await manifest(box, TREES)
        assert differences(after, untouched) == [], f"seed {seed}: the instrument changed the tree"
        assert not any(path.endswith(b"TRAP") for path in untouched), f"seed {seed}: a planted program ran"
    assert len(seen) > 20


def as_git_sees(entry: Entry | None) -> tuple[object, ...] | None:
    if entry is None or entry.type not in ("file", "link"):
        return None
    return entry.type, entry.type == "file" and bool(entry.mode & 0o100), entry.sha256, entry.target


def is_left_out(path: bytes, after: Manifest) -> bool:
    has_rules = b"workspace/.gitignore" in after
    return b".git" in path.split(b"/") or (has_rules and IGNORED.match(path) is not None)


@pytest.mark.docker
async def test_what_was_tracked_at_the_start_is_seen_though_it_is_ignored(box: DockerCli) -> None:
    delta = await started(
        box,
        """git init --quiet; mkdir -p dist node_modules/pkg; echo 1 > dist/kept.js; echo 1 > node_modules/pkg/patched.js
        printf 'dist/\\nnode_modules\\n*.tmp\\n!wanted.tmp\\n' > .gitignore; git add --force --all""",
    )
    await work(
        box,
        """echo 2 > dist/kept.js; echo 2 > dist/other.js; echo 2 > node_modules/pkg/patched.js; mkdir node_modules/new
        echo 2 > node_modules/new/x.js; echo 2 > a.tmp; echo 2 > wanted.tmp; echo '*' > src.gitignore
        mkdir src; echo '*' > src/.gitignore; echo 2 > src/hidden""",
    )
    assert set((await delta.turn()).paths) == {
        *("dist/kept.js", "node_modules/pkg/patched.js", "wanted.tmp", "src.gitignore")
    }
    await work(box, "echo 3 > a.tmp; echo '*' > .gitignore; echo 3 > wanted.tmp")
    assert set((await delta.turn()).paths) == {".gitignore", "wanted.tmp"}, "what is known stays known"


@pytest.mark.docker
async def test_excluded_paths_and_several_trees(box: DockerCli) -> None:
    await box.run("mkdir -p /srv/data && chown agent /srv/data")
    delta = await started(box, trees=["/workspace", "/srv/data"], exclude=["workspace/node_modules"])
    await work(box, "mkdir node_modules; echo x > node_modules/x; echo a > a.txt; echo b > /srv/data/a.txt")
    found = await delta.turn()
    assert found.paths == ["srv/data/a.txt", "workspace/a.txt"]
    assert "+++ b/srv/data/a.txt" in found.diff
    assert await delta.file_bytes("srv/data/a.txt", 10) == b"b\n"
    assert await delta.path_exists("srv/*/a.txt") and await delta.path_exists("**/a.txt")
    for outside in ("srv/a.txt", "a.txt", "etc/*", "e*/passwd", "etc/passwd", "srv/other/*", "work*/srv/**"):
        assert not await delta.path_exists(outside), outside


# --- without a container ---------------------------------------------------------------------------------------------
def test_names_are_shown_without_control_characters() -> None:
    assert shown(os.fsdecode(b"a\tb\n\xff\x7f\xc3\xa9")) == "a\\x09b\\x0a\\xff\\x7f\u00e9"


def test_scripts_need_nothing_but_an_old_python() -> None:
    folder = resources.files("swe_together.adapter._scripts")
    names = [Path(str(item)).stem for item in folder.iterdir() if str(item).endswith(".py")]
    for name in set(names) - {"__init__"}:
        command = script_command(name, {"x": "'; exit"})
        assert len(os.fsencode(command)) < 60_000, "an argument may have 128 KiB"
        for text in container._modules(name).values():
            for node in ast.walk(ast.parse(text, feature_version=(3, 10))):
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith("swe_together"):
                    assert str(node.module).startswith("swe_together.adapter._scripts.") and node.col_offset == 0
