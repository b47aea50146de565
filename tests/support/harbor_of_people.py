"""Stands in for ``harbor run`` where only the conversation with a person is tested: a session without containers.

It takes Harbor's own arguments, plays the package's session loop with an agent that echoes, and leaves a trial's files.
"""

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path

from swe_together.adapter.recorder import SessionRecorder
from swe_together.adapter.session import Limits, run_session
from swe_together.adapter.settings import parse_settings
from swe_together.adapter.turn import Turn
from swe_together.schema import Change, Command, Observation
from swe_together.simulator import UserSetup, World, create_user
from swe_together.simulator.fake import FakeWorld
from swe_together.tasks import load_task


class Echo:
    async def turn(self, message: str, number: int, deadline_sec: float) -> Turn:
        await asyncio.sleep(0.05)
        return Turn(f"I heard: {message}", [Command(command="ls", output="wordbox.py", exit=0)], 12.0, "first")


class Eyes:
    async def look(self, turn: Turn, number: int, elapsed_sec: float) -> tuple[Observation, World]:
        observation = Observation(
            turn=number, reply=turn.reply, reply_chars=len(turn.reply), commands=list(turn.commands), commands_total=1,
            changes=[Change(path="wordbox.py", status="modified", added=3, removed=1)], changes_total=1,
            diff="+def longest(words): ...", turn_sec=turn.seconds, elapsed_sec=elapsed_sec,
        )  # fmt: skip
        return observation, FakeWorld()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["run"])
    parser.add_argument("-p", dest="task", type=Path)
    parser.add_argument("--pk", action="append")
    parser.add_argument("--jobs-dir", type=Path)
    parser.add_argument("--job-name")
    options, _ = parser.parse_known_args()
    print("Harbor's own output, which must not reach the person", flush=True)
    settings = parse_settings(dict(setting.split("=", 1) for setting in options.pk))
    task = load_task(options.task)
    trial: Path = options.jobs_dir / options.job_name / "tiny-task__abcdefg"
    folder = trial / "user-agent"
    facts = {
        "task": task.name, "task_digest": task.digest, "agent": "echo", "policy": settings.user, "arm": "interactive",
        "continuation": "native",
    }  # fmt: skip
    recorder = SessionRecorder(folder, facts, settings)
    recorder.begin()
    (trial / "config.json").write_text(json.dumps({"trial_name": trial.name, "agent": {"name": "echo"}}))
    answers = Path(settings.human_answers) if settings.human_answers else None
    user = create_user("human", task.script, UserSetup(human_folder=folder / "human", human_answers=answers))
    try:
        outcome = asyncio.run(
            run_session(
                task.instruction, user=user, agent=Echo(), eyes=Eyes(), recorder=recorder, limits=Limits(60, 60)
            )
        )
    except KeyboardInterrupt:
        (trial / "interrupted").write_text(str(time.time()))
        return 130
    recorder.finish(outcome)
    (trial / "result.json").write_text(json.dumps({"verifier": {}, "verifier_result": {"rewards": {"reward": 0.5}}}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
