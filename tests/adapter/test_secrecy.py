"""What a command of root's says it wants to see: the code that runs meanwhile as another user can't read it."""

import shlex
from pathlib import Path

import pytest

from swe_together.adapter.container import run_as_root
from swe_together.adapter.hands import Bench, Hands
from swe_together.adapter.state import STATE_PATH, collect_command
from tests.support.containers import DockerCli
from tests.support.state_pair import Pair

SECRET = "the-value-that-is-wanted"
READ_ALL = """\
import glob
found = []
for path in glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/fd/*"):
    try:
        with open(path, "rb") as file:
            text = file.read(1_000_000) if "/fd/" not in path or "pipe" not in __import__("os").readlink(path) else b""
    except OSError:
        continue
    if b"the-value" b"-that-is-wanted" in text:
        found.append(path.split("/")[-1])
print("seen:", *found)
"""


def looking(script: str) -> str:
    """A command of root's that runs code of the agent's user and compares what it prints."""
    return (
        f'out=$(runuser -u agent -- /usr/bin/python3 {script}); echo "$out" >&2\n'
        f'cat > /dev/null <<"END"\n{SECRET}\nEND\n[ "$out" = {shlex.quote(SECRET)} ]'
    )


async def put(container: DockerCli, folder: Path) -> str:
    (folder / "look.py").write_text(READ_ALL)
    await container.upload_file(folder / "look.py", "/opt/look.py")
    await container.run("chmod 644 /opt/look.py")
    return "/opt/look.py"


@pytest.mark.docker
async def test_a_goals_command_is_read_by_nobody_but_root(pair: Pair, tmp_path: Path) -> None:
    script = await put(pair.fresh, tmp_path)
    bench = await Bench.of(pair.fresh, ["/workspace"], ())
    await pair.agent.run(collect_command())
    await pair.carry([STATE_PATH])
    root = Hands(bench, "root")
    await root.reset()
    ran = await root.run(looking(script), 30)
    assert ran.output.strip() == "seen:"
    assert ran.exit == 1
    # The look is a good one: it finds what stands in the arguments of an ordinary command.
    plain = await run_as_root(pair.fresh, looking(script), "looking")
    assert "cmdline" in (plain.stdout or "")


@pytest.mark.docker
async def test_what_a_command_says_is_no_variable_of_what_it_starts(pair: Pair) -> None:
    bench = await Bench.of(pair.fresh, ["/workspace"], ())
    ran = await Hands(bench, "root").run(f"env; sh -c 'exit 7' {SECRET}", 30)
    assert "PATH=" in ran.output and SECRET not in ran.output
    assert ran.exit == 7


@pytest.mark.docker
async def test_commands_in_one_go_are_as_apart_as_one_by_one(pair: Pair, tmp_path: Path) -> None:
    """What the first leaves in the tree the second sees; of the other commands, of time and of processes, nothing."""
    script = await put(pair.fresh, tmp_path)
    bench = await Bench.of(pair.fresh, ["/workspace"], ())
    await pair.agent.run(collect_command())
    await pair.carry([STATE_PATH])
    root = Hands(bench, "root")
    await root.reset()
    ran = await root.run_all(
        [
            (f"runuser -u agent -- /usr/bin/python3 {script}; env | grep -c that-is-wanted; touch left", 30),
            ("sleep 30 & sleep 60", 1),
            (f"ls left; pgrep -fc 'sleep [36]0'; : {SECRET}", 30),
            (f": {'x' * 70_000}; echo $((6 * 7)); exit 3", 30),
        ]
    )
    assert [(one.exit, one.output.split()) for one in ran] == [
        (0, ["seen:", "0"]), (None, []), (0, ["left", "0"]), (3, ["42"]),
    ]  # fmt: skip
    assert 1 <= ran[1].seconds < 5
    assert await root.run_all([]) == []
