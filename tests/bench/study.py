"""A synthetic study: job folders of many models at many tasks, in the shape and size that real trials have.

``python -m tests.bench.study DIR --tasks 109 --models 7 --replicates 2`` writes one job a model. Success comes from a
skill for each model, a difficulty for each task and each repository; everything is drawn from ``--seed``. Repositories
have the uneven sizes of the paper's 109 tasks. The bulk of a trial is its trajectory, a whole session of 0.2 to 2 MB in
the form that agents leave (ATIF, with our marks); ``--small`` leaves that at some kilobytes.
"""

import argparse
import json
import math
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from swe_together.schema import (
    Action,
    Change,
    Command,
    Decision,
    DecisionRecord,
    EndReason,
    Observation,
    Usage,
)
from tests.support.jobs import Spec, write_job, write_trial

REPOSITORIES = (27, 23, 9, 8, 7, 5, 5, 4, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
"""Tasks of each of the 25 repositories of the paper's suite, 109 in all."""
LANGUAGES = ("python", "typescript", "go", "rust", "cpp")
CATEGORIES = ("bugfix", "feature", "refactor", "performance")
MODELS = (
    ("claude-code", "anthropic/claude-opus-4-8"), ("codex", "openai/gpt-5.2"), ("opencode", "zai/glm-5.1"),
    ("opencode", "moonshot/kimi-k2.6"), ("opencode", "deepseek/deepseek-v4"), ("opencode", "minimax/minimax-m2.7"),
    ("gemini-cli", "gemini/gemini-3.1-pro"),
)  # fmt: skip
SIZES = (200_000, 2_000_000)
WORDS = (
    "the", "parser", "reads", "a", "line", "and", "the", "test", "says", "what", "is", "wrong", "so", "that", "this",
    "branch", "returns", "early", "when", "empty",
)  # fmt: skip


@dataclass(frozen=True)
class Study:
    """What to write.

    Attributes:
        sizes: Bytes of a trajectory, from and to.
        judge_model: A model that judged, whose score is the reward; the tests' if None.
    """

    tasks: int = 109
    models: int = 7
    replicates: int = 2
    sizes: tuple[int, int] = SIZES
    judge_model: str | None = "anthropic/claude-opus-4-6"
    seed: int = 1


def write_study(folder: Path, study: Study) -> int:
    """Write the jobs; the number of trials is returned. About one trial in fifty ends by a fault of ours."""
    dice = random.Random(study.seed)
    repositories = [index for index, size in enumerate(REPOSITORIES) for _ in range(size)]
    of_repository = [dice.gauss(0, 0.5) for _ in REPOSITORIES]
    difficulty = [dice.gauss(0, 1.0) for _ in range(study.tasks)]
    written = 0
    for number in range(study.models):
        agent, model = MODELS[number % len(MODELS)]
        model = model if number < len(MODELS) else f"{model}-{number}"
        skill = 1.3 - 0.25 * number
        specs = []
        for task in range(study.tasks):
            repository = repositories[task % len(repositories)]
            for attempt in range(study.replicates):
                chance = 1 / (1 + math.exp(-(skill - difficulty[task] - of_repository[repository])))
                spec = Spec(
                    task=f"swe-together/task-{task:03d}",
                    agent=agent,
                    model=model,
                    repository=f"pypi:repository-{repository}",
                    language=LANGUAGES[repository % len(LANGUAGES)],
                    category=CATEGORIES[task % len(CATEGORIES)],
                    digest=f"{task:064x}",
                    rubric=f"{task + 1000:064x}",
                    minute=attempt * 60 + task,
                )
                specs.append(_drawn(spec, chance, study, dice))
        job = write_job(folder / f"job-{number}", [], planned=specs)
        for spec in specs:
            _add_bulk(write_trial(job, spec), spec, dice.randint(*study.sizes), dice)
            written += 1
    return written


def _drawn(spec: Spec, chance: float, study: Study, dice: random.Random) -> Spec:
    passed = dice.random() < chance
    score = dice.uniform(0.85, 1.0) if passed else dice.uniform(0.0, 0.84)
    tags = [
        ["correction"] if dice.random() < (0.2 if passed else 0.4) else ["request"] for _ in range(dice.randint(0, 9))
    ]
    tokens = dice.randint(3_000, 60_000)
    return replace(
        spec,
        reward=round(min(1.0, max(0.0, score + dice.gauss(0, 0.05))), 3),
        judge=round(score, 3) if study.judge_model else None,
        judge_model=study.judge_model,
        basis="judge" if study.judge_model else "tests",
        messages=tags,
        coverage=(round(dice.uniform(0.5, 1.0), 3), round(dice.uniform(0.6, 1.0), 3)),
        usage=Usage(
            input_tokens=tokens * 60,
            cached_tokens=tokens * 50,
            output_tokens=tokens,
            reasoning_tokens=tokens // 3,
            cost_usd=round(tokens * 4e-5, 4),
        ),
        agent_seconds=dice.uniform(60, 1500),
        wall_seconds=dice.uniform(1600, 2400),
        end=EndReason.SIMULATOR_ERROR if dice.random() < 0.02 else EndReason.ANCHORS_EXHAUSTED,
    )


def _add_bulk(trial: Path, spec: Spec, size: int, dice: random.Random) -> None:
    """Trajectory, decisions, log: what a report must not have to read."""
    steps = _steps(spec, size, dice)
    agent = {"name": spec.agent, "version": spec.agent_version, "model_name": spec.model}
    dump_flat(trial / "agent" / "trajectory.json", {"schema_version": "ATIF-v1.6", "agent": agent, "steps": steps})
    turns = len(spec.messages) + 1
    records = [_decision(number, turns, spec, dice).model_dump_json() for number in range(1, turns + 1)]
    (trial / "user-agent" / "decisions.jsonl").write_text("\n".join(records) + "\n", encoding="utf-8")
    (trial / "trial.log").write_text("Collecting main service artifacts\n", encoding="utf-8")


def dump_flat(path: Path, value: object) -> None:
    """JSON on one line: indenting megabytes takes longer than all the rest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def _steps(spec: Spec, size: int, dice: random.Random) -> list[dict[str, Any]]:
    turns = len(spec.messages) + 1
    share, steps = size // turns, []
    for turn in range(1, turns + 1):
        tags = [] if turn == 1 else list(spec.messages[turn - 2])
        mark = {
            "turn": turn, "kind": "instruction" if turn == 1 else "anchor", "anchors": [], "tags": tags,
            "continuation": "first" if turn == 1 else spec.continuation, "timed_out": False,
        }  # fmt: skip
        text = "please do one" if turn == 1 else f"message {turn - 1}"
        steps.append({"source": "user", "message": text, "extra": {"swe_together": mark}})
        written = 0
        while written < share:
            output = _prose(dice, min(6_000, max(60, share - written)))
            call = f"call-{len(steps)}"
            command = f"sed -n '{len(steps)},+40p' src/module_{len(steps) % 7}.py && python3 -m pytest -q"
            steps.append(
                {
                    "source": "agent",
                    "message": _prose(dice, 80),
                    "tool_calls": [{"tool_call_id": call, "function_name": "bash", "arguments": {"command": command}}],
                    "observation": {"results": [{"source_call_id": call, "content": output}]},
                    "metrics": {"prompt_tokens": 20_000, "completion_tokens": 150},
                }
            )
            written += len(output) + 400
        steps.append({"source": "agent", "message": _prose(dice, 400)})
    return [{**step, "step_id": number} for number, step in enumerate(steps, start=1)]


def _decision(turn: int, turns: int, spec: Spec, dice: random.Random) -> DecisionRecord:
    seen = Observation(
        turn=turn,
        reply=_prose(dice, 400),
        reply_chars=400,
        commands=[Command(command="python3 -m pytest -q", output=_prose(dice, 200), exit=0)],
        commands_total=12,
        changes=[Change(path="src/module.py", status="modified", added=4, removed=1)],
        changes_total=1,
        diff=_diff(dice),
        diff_chars=2_000,
        turn_sec=spec.agent_seconds / turns,
        elapsed_sec=spec.agent_seconds * turn / turns,
    )
    last = turn == turns
    decision = Decision(
        action=Action.NO_OP if last else Action.NEW_REQUIREMENT,
        message=None if last else f"message {turn}",
        end=EndReason.ANCHORS_EXHAUSTED if last else None,
        reason="nothing is left to say" if last else "eligible, and its turn had come",
    )
    return DecisionRecord(turn=turn, policy=spec.policy, observation=seen, decision=decision, seconds=0.2)


def _diff(dice: random.Random) -> str:
    lines = "".join(f"+    {_prose(dice, 60)}\n" for _ in range(30))
    head = "diff --git a/src/module.py b/src/module.py\n--- a/src/module.py\n+++ b/src/module.py\n@@ -1,2 +1,32 @@\n"
    return head + lines


def _prose(dice: random.Random, chars: int) -> str:
    """Words in lines; cheap enough for gigabytes."""
    line = " ".join(dice.choices(WORDS, k=14))
    return "\n".join([line] * (chars // (len(line) + 1) + 1))[:chars]


def main() -> None:
    """Write a study."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tasks", type=int, default=109)
    parser.add_argument("--models", type=int, default=7)
    parser.add_argument("--replicates", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="trajectories of 2 to 6 kB")
    options = parser.parse_args()
    sizes = (2_000, 6_000) if options.small else SIZES
    study = Study(options.tasks, options.models, options.replicates, sizes, seed=options.seed)
    print(f"{write_study(options.folder, study)} trials in {options.folder}")


if __name__ == "__main__":
    main()
