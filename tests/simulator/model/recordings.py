"""Records sessions of the tasks in real containers, and takes their decisions again with any model.

``python -m tests.simulator.model.recordings`` rewrites ``tests/fixtures/sessions``; it needs Docker and a few minutes.
The agent is the reference, played as the tasks' own proof plays it; what the user sees of it is real. The user is the
policy ``llm`` with a chooser that says the first thing it may, so that every turn holds what a model could have said.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from swe_together.schema import DecisionRecord
from swe_together.simulator import read_decisions
from swe_together.simulator.model import AnchoredUser, Background, FreeUser, Model, ModelUser
from swe_together.tasks import TaskBundle, load_task
from tests.support import harbor as h
from tests.support.fault_server import FaultServer

FOLDER = h.ROOT / "tests" / "fixtures" / "sessions"
PLAYS = ("staged", "first-stage", "nothing")
POLICIES: dict[str, type[ModelUser]] = {"anchored": AnchoredUser, "llm": FreeUser}


@dataclass(frozen=True)
class Moment:
    """One recorded turn, after which the user decided.

    Attributes:
        session: Name of the recording.
        task: What it is a session of, and the session behind that.
        earlier: The decisions before it.
        record: What was seen, and what could be said.
    """

    session: str
    task: TaskBundle
    background: Background
    earlier: Sequence[DecisionRecord]
    record: DecisionRecord

    def user(self, policy: str, model: Model) -> ModelUser:
        """A fresh user who can take this decision."""
        script = self.task.script
        return POLICIES[policy](script, self.background, model, session_sec=script.budget.session_sec)

    def asks(self, policy: str) -> bool:
        """Whether the policy asks its model here: ``anchored`` doesn't where nothing may be said."""
        call = self.record.call
        return call is not None and (policy == "llm" or bool(call.options))


def moments() -> Iterator[Moment]:
    """All recorded turns, session by session, so that a server's cache of the stable part is of use."""
    for file in sorted(FOLDER.glob("*.jsonl")):
        task = load_task(h.ROOT / "tasks" / file.name.split(".")[0])
        background = Background.of(task)
        records = read_decisions(file)
        for place, record in enumerate(records):
            yield Moment(file.stem, task, background, records[:place], record)


def record_sessions(names: Sequence[str]) -> None:
    """Record the sessions of these tasks, one of each play."""
    jobs = Path(tempfile.mkdtemp(prefix="swe-together-record-"))
    for name in names:
        for play in PLAYS:
            with FaultServer() as server:
                (trial,) = h.run_job(
                    jobs,
                    *("-a", "swe_together.adapter.agents:reference", "--ak", f"play={play}"),
                    *("--plugin", "swe-together", "--disable-verification"),
                    *("--pk", "user=llm", "--pk", "user_model=openai/fault"),
                    *("--pk", f"user_base_url={server.base_url}"),
                    task=h.ROOT / "tasks" / name,
                    name=f"{name}-{play}",
                )
            end = trial.session["end"]
            assert end in ("anchors_exhausted", "user_left", "message_budget"), f"{trial.folder}: {end}"
            shutil.copyfile(trial.folder / "user-agent" / "decisions.jsonl", FOLDER / f"{name}.{play}.jsonl")
            print(f"{name}.{play}: {len(trial.decisions)} turns, {end}", flush=True)
    shutil.rmtree(jobs)


if __name__ == "__main__":
    record_sessions(sys.argv[1:] or sorted(path.parent.name for path in h.ROOT.glob("tasks/*/task.toml")))
