"""A person's session with the real ``claude`` command line, and the dataset that is mined of it."""

import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.gaps import find_marks
from swe_together.pipeline.sessions._registry import read_sessions
from swe_together.tasks import load_task
from tests.agents.clients import CLIENTS
from tests.pipeline.recorded import AFTER, BEFORE, FILES, MIDDLE, OLD_TEST, TEST, commit, git
from tests.support import agent_image
from tests.support.agent_image import docker
from tests.support.harbor import run_job
from tests.support.model_server import FakeModelServer, SessionScript, Shell, Turn

pytestmark = [pytest.mark.docker, pytest.mark.agents]

KEY = "fake-mined"
COMMIT = (
    "git add -A && git -c user.name=s -c user.email=s@localhost commit -q -m {0} && git log -1 --format='[main %h] {0}'"
)
FIRST_TEST = OLD_TEST + "\n\ndef test_blanks():\n    assert wordbox.split('a, b') == ['a', 'b']\n"
LONGEST = AFTER + "\n\ndef longest(words):\n    return max(words, key=len, default='')\n"
LONGEST_TEST = TEST + "\n\ndef test_longest():\n    assert wordbox.longest(['a', 'bb']) == 'bb'\n"


def write(path: str, text: str) -> Shell:
    """A command that writes a file."""
    return Shell(f"cat > {path} <<'END'\n{text}END")


SCRIPT = SessionScript(
    (
        Turn(
            "split() in wordbox keeps the blanks around words, I want clean words",
            (write("wordbox.py", MIDDLE), write("test_wordbox.py", FIRST_TEST), Shell(COMMIT.format("Strip"))),
            "Words come without blanks now.",
        ),
        Turn("why a list and no generator?", (), "Since callers take its length."),
        Turn(
            "ok. some of my files use semicolons, split there too",
            (write("wordbox.py", AFTER), write("test_wordbox.py", TEST), Shell(COMMIT.format("Semicolons"))),
            "Semicolons separate words as well.",
        ),
        Turn(
            "and I need longest(words), the longest one",
            (write("wordbox.py", LONGEST), write("test_wordbox.py", LONGEST_TEST), Shell(COMMIT.format("Longest"))),
            "There is longest(words) now.",
        ),
    )
)  # fmt: skip


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """The repository as the session left it, and the folder of what the command line recorded."""
    folder = tmp_path_factory.mktemp("mine")
    repository, name = folder / "wordbox", f"swe-together-test-{uuid.uuid4().hex[:12]}"
    from datetime import UTC, datetime

    commit(repository, {**FILES, "wordbox.py": BEFORE}, datetime.now(UTC) - timedelta(days=1), "Begin")
    with FakeModelServer(seed="mine") as server, agent_image.closed_network() as network:
        server.add(KEY, SCRIPT)
        docker("run", "--detach", "--name", name, "--network", network.name, "--label", agent_image.LABEL,
               agent_image.ensure(), "sh", "-c", "sleep infinity")  # fmt: skip
        docker("exec", "--user", "root", name, "mkdir", "-p", str(folder))
        docker("cp", str(repository), f"{name}:{folder}")
        docker("exec", "--user", "root", name, "chown", "-R", "agent:agent", str(folder))
        for number, turn in enumerate(SCRIPT.turns):
            told = ("--continue",) if number else ()
            docker("exec", "--user", "agent", "--workdir", str(repository), "--env", f"ANTHROPIC_API_KEY={KEY}",
                   "--env", f"ANTHROPIC_BASE_URL=http://{network.gateway}:{server.port}",
                   "--env", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
                   name, "claude", "--print", *told, "--model", CLIENTS["claude-code"].model.rpartition("/")[2],
                   "--dangerously-skip-permissions", turn.message, timeout=180)  # fmt: skip
        subprocess.run(["rm", "-rf", str(repository)], check=True)
        docker("cp", f"{name}:{repository}", str(folder))
        docker("cp", f"{name}:/home/agent/.claude/projects", str(folder / "projects"))
    yield repository, folder / "projects"


def test_the_recorded_session_is_whole(recorded: tuple[Path, Path]) -> None:
    repository, projects = recorded
    (file,) = projects.rglob("*.jsonl")
    (session,) = read_sessions(file)
    assert [human.text for human in session.humans()] == [turn.message for turn in SCRIPT.turns]
    assert session.origin.cwd == str(repository)
    assert git(repository, "log", "--format=%s").splitlines() == ["Longest", "Semicolons", "Strip", "Begin"]


def test_it_becomes_a_task_whose_bar_holds(
    recorded: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository, projects = recorded
    folder = tmp_path / "mine"
    assert main(["mine", str(projects), "--repo", str(repository), "-o", str(folder)]) == 0, capsys.readouterr().out
    printed = capsys.readouterr().out
    (path,) = (file.parent for file in folder.glob("*/task.toml"))
    for item in ("files", "builds", "nothing done is 0", "reference is 1.0", "whole session"):
        assert f"holds: {item}" in printed, printed
    assert "FAILS" not in printed
    task = load_task(path)
    assert [anchor.message for anchor in task.script.anchors] == [turn.message for turn in SCRIPT.turns[1:]]
    assert task.script.anchors[0].action.value == "question"
    assert task.stages == [0, 2, 3]
    assert (path / "environment" / "repository.tar").is_file()
    plan = json.loads((path / "tests" / "plan.json").read_text())
    asked = {(case["tests"][0], case["turn"]) for case in plan["cases"] if case["kind"] == "f2p"}
    assert asked == {
        ("test_wordbox::test_blanks", 0),
        ("test_wordbox::test_semicolons", 2),
        ("test_wordbox::test_longest", 3),
    }
    left = [mark for mark in find_marks(path) if mark.kind == "fill in"]
    assert left == [] and "review: " in printed
    # What is left to a person stands in the output, and the reference plays the dataset as any agent would.
    (trial,) = run_job(tmp_path / "jobs", "--agent", "swe_together.adapter.agents:reference",
                       "--plugin", "swe-together", task=path)  # fmt: skip
    assert trial.rewards is not None and trial.rewards["reward"] == 1.0
    assert trial.messages == [task.instruction, *(anchor.message for anchor in task.script.anchors)]
    assert trial.session["repository"] == "local:wordbox"


def test_nothing_of_the_answer_lies_in_the_environment(recorded: tuple[Path, Path], tmp_path: Path) -> None:
    repository, projects = recorded
    assert main(["mine", str(projects), "--repo", str(repository), "-o", str(tmp_path), "--no-containers"]) in (0, 1)
    (archive,) = tmp_path.glob("*/environment/repository.tar")
    listed = subprocess.run(
        [sys.executable, "-m", "tarfile", "-l", str(archive)], capture_output=True, text=True, check=True
    )
    assert set(listed.stdout.split()) == set(FILES)
    assert b"longest" not in archive.read_bytes() and b"strip()" not in archive.read_bytes()
