"""What a session does at its end, in the order in which the environment is asked: no process of the agent lives on."""

from pathlib import Path

from tests.bench.concurrency import make_load_task
from tests.support import harbor as h
from tests.support.trial_runs import LOG


def test_the_agents_processes_end_before_the_session_counts_as_over(tmp_path: Path) -> None:
    """Only then the marker is written that lets the verifier begin, and the state is packed."""
    arguments = ("-e", "tests.support.trial_runs:NotingEnvironment", "-a", "tests.support.agents:NoteAgent")
    plugin = ("--plugin", "swe-together", "--disable-verification")
    (trial,) = h.run_job(tmp_path, *arguments, *plugin, task=make_load_task(tmp_path, 2))
    asked = (trial.folder / LOG).read_text().splitlines()
    last_turn = max(number for number, line in enumerate(asked) if line.startswith("upload /workspace"))
    killed = [number for number, line in enumerate(asked) if line == "kill kill"]
    marked = [number for number, line in enumerate(asked) if "/var/lib/swe-together" in line]
    assert killed and marked
    assert last_turn < killed[-1] < marked[0]
