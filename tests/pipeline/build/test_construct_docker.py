"""One transcript all the way, with a stand-in for the model: construction task, agent, container, harvested task."""

import asyncio
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.gaps import find_marks
from swe_together.pipeline.base import Repository
from swe_together.pipeline.build import make_plan
from swe_together.pipeline.build._construct import write_construction
from swe_together.pipeline.build._drafter import drafted
from swe_together.pipeline.clearing import Clearing
from swe_together.pipeline.fake import FakeReader
from swe_together.pipeline.privacy import Salt
from swe_together.pipeline.sessions import read_sessions
from swe_together.tasks import load_task
from tests.pipeline.recorded import git, wordbox
from tests.pipeline.screen.test_command import lines
from tests.support.harbor import run_job

pytestmark = pytest.mark.docker

SHELL = "tests.support.agents:ShellAgent"
READ = (
    "grep -rlE '<<review: ' /task | xargs sed -i -E 's/<<review: [^>]*>>/read/g'; python3 /material/validate.py /task"
)


def construction(tmp_path: Path) -> Path:
    folder, _ = wordbox(tmp_path / "wordbox")
    git(folder, "remote", "add", "origin", "https://github.com/some/wordbox.git")
    recorded = lines("s-a", "change the words", "and more").replace("/w/wordbox/a.py", "/w/wordbox/wordbox.py")
    (tmp_path / "a.jsonl").write_text(recorded.replace('"old_string": "a"', '"old_string": "text"'))
    (session,) = read_sessions(tmp_path / "a.jsonl")
    with Repository(folder) as repository:
        plan = asyncio.run(
            drafted(
                make_plan(Clearing(Salt.fresh()).session(session, repository), repository, name="words"), FakeReader()
            )
        )
        return write_construction(tmp_path / "words-construction", plan)


def test_an_agent_finishes_the_draft_and_the_task_comes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = construction(tmp_path)
    (trial,) = run_job(
        tmp_path / "jobs", "--agent", "tests.support.agents:ShellAgent", "--agent-kwarg", f"turns={READ}", task=task
    )
    assert trial.exception is None, trial.result["exception_info"]
    assert trial.rewards == {"reward": 1.0}
    assert main(["build", "--harvest", str(tmp_path / "jobs" / "job"), "-o", str(tmp_path / "tasks")]) == 0
    assert "0 places still to be read" in capsys.readouterr().out
    bundle = load_task(tmp_path / "tasks" / "words")
    assert bundle.instruction == "change the words\n" and find_marks(bundle.path) == []


def test_a_draft_that_nobody_read_earns_less_and_is_harvested_with_its_marks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = construction(tmp_path)
    broken = "echo '{' > /task/rubric.json"
    (trial,) = run_job(tmp_path / "jobs", "--agent", "oracle", task=task)
    assert trial.rewards is not None and 0.8 < trial.rewards["reward"] < 1
    (spoilt,) = run_job(tmp_path / "jobs", "--agent", SHELL, "--agent-kwarg", f"turns={broken}", task=task,
                        name="spoilt")  # fmt: skip
    assert spoilt.rewards is not None and spoilt.rewards["reward"] < trial.rewards["reward"]
    assert main(["build", "--harvest", str(tmp_path / "jobs"), "-o", str(tmp_path / "tasks")]) == 1
    printed = capsys.readouterr().out
    assert "places still to be read" in printed and "rubric.json: is not valid JSON" in printed
