"""A person plays whole sessions in real containers: from a file, at a terminal, interrupted, in a plain Harbor run."""

import json
import time
from pathlib import Path

import pytest

from swe_together.cli import main
from tests.support import harbor as h
from tests.test_play import Terminal

pytestmark = pytest.mark.docker

SEMICOLONS = "some of my files use semicolons, split there too"
LONGEST = "and I need longest(words), the longest one, first if there are several. empty text if there are no words"


def job(folder: Path) -> Path:
    (found,) = (folder / "jobs").glob("play-*/")
    return found


def test_a_session_from_a_file_of_answers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps([SEMICOLONS, "thanks, and what does longest() do?"]))
    arguments = ["--answers", str(answers), "--jobs-dir", str(tmp_path / "jobs")]
    assert main(["play", str(h.tiny_task()), *arguments]) == 0
    (trial,) = h.trials(job(tmp_path))
    assert trial.messages[1:] == [SEMICOLONS, "thanks, and what does longest() do?"]
    assert [turn["kind"] for turn in trial.session["turns"]] == [None, "free", "free"]
    assert (trial.session["policy"], trial.session["end"]) == ("human", "user_left")
    assert trial.rewards is not None
    assert 0 < trial.rewards["reward"] < 1, "one of the two follow-ups was never said"
    assert {one["how"] for one in trial.session["settled"]} == {"dismissed"}
    shown = capfd.readouterr().out
    assert f"you: {SEMICOLONS}" in shown
    assert f"{trial.rewards['reward']:.3f}" in shown
    assert h.containers(job(tmp_path)) == []


def test_a_session_at_a_terminal_with_the_clock_stopped(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--pk", "session_sec=20", task=h.tiny_task()) as terminal:
        assert "modified wordbox.py" in terminal.until("> ", timeout=120)
        time.sleep(21)
        terminal.type(f"{SEMICOLONS}\n.\n")
        terminal.prompted("turn 2", timeout=60)
        terminal.type(f"{LONGEST}\n.\n")
        terminal.prompted("turn 3", timeout=60)
        terminal.type("/leave\n")
        assert terminal.end(timeout=120) == 0
        assert "1.000" in terminal.text
        (trial,) = h.trials(job(tmp_path))
        assert trial.messages[1:] == [SEMICOLONS, LONGEST]
        assert trial.rewards is not None
        assert trial.rewards["reward"] == 1.0
        first, *_ = trial.decisions
        assert first["seconds"] > 21
        assert trial.session["user_seconds"] > 21
        assert trial.session["agent_seconds"] < 20
        assert all(one["observation"]["elapsed_sec"] < 20 for one in trial.decisions), (
            "thinking is no time of the session"
        )


@pytest.mark.parametrize("when", ["the container starts", "the person thinks"])
def test_ctrl_c_leaves_no_container(tmp_path: Path, when: str) -> None:
    with Terminal(tmp_path, task=h.tiny_task()) as terminal:
        if when == "the person thinks":
            terminal.until("> ", timeout=120)
            time.sleep(0.5)
        else:
            deadline = time.monotonic() + 60
            while not list(tmp_path.glob("jobs/play-*/*/trial.log")) and time.monotonic() < deadline:
                time.sleep(0.1)
            time.sleep(1)
        terminal.type("\x03")
        assert terminal.end(timeout=150) == 130
        assert "Traceback" not in terminal.text
        assert list(tmp_path.glob("jobs/play-*/*/trial.log")), "a trial had begun"
        assert h.containers(job(tmp_path)) == []


def test_killed_outright_the_session_ends_by_itself(tmp_path: Path) -> None:
    with Terminal(tmp_path, task=h.tiny_task()) as terminal:
        terminal.until("> ", timeout=120)
        terminal.process.kill()
        terminal.process.wait(10)
        deadline = time.monotonic() + 120
        while not h.trials(job(tmp_path)):
            assert time.monotonic() < deadline, "Harbor still waits for a person who is gone"
            time.sleep(0.5)
    (trial,) = h.trials(job(tmp_path))
    assert trial.session["end"] == "simulator_error"
    assert "terminal was gone" in trial.session["error"]
    assert trial.rewards is None
    while h.containers(job(tmp_path)):
        assert time.monotonic() < deadline, "a container was left"
        time.sleep(0.5)


def test_a_person_in_a_plain_harbor_run(tmp_path: Path) -> None:
    answers = tmp_path / "answers.yaml"
    answers.write_text(f"- {SEMICOLONS}\n- {LONGEST}\n")
    reference = ("-a", "swe_together.adapter.agents:reference", "--plugin", "swe-together")
    (trial,) = h.run_job(tmp_path, *reference, "--pk", "user=human", "--pk", f"human_answers={answers}")
    assert trial.rewards is not None
    assert trial.rewards["reward"] == 1.0
    assert [one["decision"]["kind"] for one in trial.decisions] == ["free", "free", None]
    assert trial.session["settings"]["human_answers"] == str(answers)
