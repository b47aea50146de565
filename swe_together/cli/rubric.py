"""``swe-together rubric``: draft a task's rubric with a model, and freeze what a person made of it."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import DraftError, EnvironmentFault, MisuseError

if TYPE_CHECKING:
    from swe_together.judge.drafting import Drafting, Material
    from swe_together.schema import DraftRubric, Rubric
    from swe_together.tasks import UnjudgedTask

HELP = "draft a task's rubric with a model and freeze what a person made of it"
_OF_MODELS = ("model", "critic", "temperature", "base_url", "seconds")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("task", type=Path, metavar="TASK", help="the task's directory; its rubric need not be there")
    parser.add_argument("--model", metavar="MODEL", help="LiteLLM's name of the model that drafts")
    parser.add_argument(
        "--critic", metavar="MODEL", help="the model that attacks the draft (the same, starting afresh)"
    )
    parser.add_argument("--temperature", type=float, metavar="T", help="of both models (the provider's own)")
    parser.add_argument("--base-url", metavar="URL", help="where the models are served, if not by their provider")
    parser.add_argument("--api-key-env", metavar="NAME", default="SWE_TOGETHER_AUTHOR_API_KEY",
                        help="host variable with the key (SWE_TOGETHER_AUTHOR_API_KEY)")  # fmt: skip
    parser.add_argument("--seconds", type=float, metavar="SEC", help="time of each of the two conversations (1800)")
    parser.add_argument(
        "--source", type=Path, action="append", default=[], metavar="FILE", help="a further text that the author sees"
    )
    parser.add_argument("--freeze", action="store_true", help="check rubric.draft.json and write rubric.json from it")
    parser.add_argument("--reviewer", metavar="NAME", help="who edited the draft; stands in the rubric")
    parser.add_argument("--replace", action="store_true", help="write in place of a draft or rubric that is there")


def run(options: argparse.Namespace) -> int:
    """Draft or freeze; exit 1 where the draft can't be frozen yet."""
    from swe_together.judge.drafting import refuse_candidates
    from swe_together.tasks import load_unjudged

    if options.freeze is (options.model is not None):
        raise MisuseError("Either a model drafts or the draft is frozen.", "Give --model MODEL, or --freeze.")
    task = load_unjudged(options.task)
    refuse_candidates(task.path)
    return _freeze(options, task) if options.freeze else _draft(options, task)


def _draft(options: argparse.Namespace, task: "UnjudgedTask") -> int:
    from rich.console import Console

    from swe_together.pipeline.check.trials import require_engine
    from swe_together.pipeline.rubric import draft_path, material_of, refuse_to_overwrite, write_draft

    if options.reviewer is not None:
        raise MisuseError("--reviewer belongs to --freeze.", "Leave it out while a model drafts.")
    path = draft_path(task)
    refuse_to_overwrite(path, options.replace)
    material = material_of(task, options.source)
    drafting = _drafting(options)
    require_engine([task.path])
    draft = asyncio.run(_drafted(task, material, drafting))
    write_draft(path, draft)
    console = Console(soft_wrap=True, highlight=False, markup=False)
    must = sum(finding.must for finding in draft.findings)
    red = [outcome.goal for outcome in draft.checks if not outcome.met]
    console.print(f"{path}: {len(draft.goals)} goals, {len(draft.findings)} findings; {must} must be dealt with")
    for finding in draft.findings:
        console.print(f"- {finding.kind.value}, {finding.goal or 'the whole'}: {finding.problem}")
    for goal in red:
        console.print(f"- the command of {goal} doesn't hold on the reference")
    console.print(f"Edit it, then: swe-together rubric {options.task} --freeze --reviewer NAME")
    return 0


def _drafting(options: argparse.Namespace) -> "Drafting":
    import dataclasses

    from pydantic import ValidationError

    from swe_together.judge import ModelChoice
    from swe_together.judge.drafting import LIMITS, Drafting, draft_model

    def choice(model: str) -> ModelChoice:
        try:
            return ModelChoice(
                model=model,
                temperature=options.temperature,
                api_key_env=options.api_key_env,
                base_url=options.base_url,
                max_tokens=2 * ModelChoice.model_fields["max_tokens"].default,
            )
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            name = str(first["loc"][0]).replace("_", "-")
            raise MisuseError(f"--{name}: {first['msg']}.", "See swe-together rubric --help.") from None

    if options.seconds is not None and options.seconds <= 0:
        raise MisuseError(f"--seconds {options.seconds:g}: must be more than 0.", "Leave it out for the default.")
    limits = LIMITS if options.seconds is None else dataclasses.replace(LIMITS, seconds=options.seconds)
    author = draft_model(choice(options.model))
    return Drafting(author, draft_model(choice(options.critic or options.model)), limits)


async def _drafted(task: "UnjudgedTask", material: "Material", drafting: "Drafting") -> "DraftRubric":
    from swe_together import defaults
    from swe_together.adapter.fresh import reference_bench
    from swe_together.adapter.hands import Hands
    from swe_together.judge.drafting import draft

    try:
        async with reference_bench(task) as bench:
            hands = Hands(bench, defaults.AGENT_USER)
            return await draft(drafting, material, _today(), root=Hands(bench, "root"), hands=hands)
    except EnvironmentFault as fault:
        raise DraftError(fault.message, fault.remedy) from fault


def _freeze(options: argparse.Namespace, task: "UnjudgedTask") -> int:
    from rich.console import Console

    from swe_together.judge.drafting import freeze, problems_of
    from swe_together.pipeline.check.trials import require_engine
    from swe_together.pipeline.rubric import (
        draft_path,
        known_cases,
        read_draft,
        refuse_to_overwrite,
        rubric_path,
        write_rubric,
    )

    told = [name for name in _OF_MODELS if getattr(options, name) is not None]
    if told or options.source:
        name = (told or ["source"])[0].replace("_", "-")
        raise MisuseError(f"--{name} has no part in freezing.", "Leave it out.")
    if not (options.reviewer or "").strip():
        raise MisuseError("A rubric is frozen by a person who has read it.", "Say who: --reviewer NAME.")
    path, source = rubric_path(task), draft_path(task)
    refuse_to_overwrite(path, options.replace)
    draft = read_draft(source)
    problems = problems_of(draft, known_cases(task))
    rubric: Rubric | None = None
    if not problems:
        rubric = freeze(draft, options.reviewer.strip(), _today())
        if any(goal.check for goal in rubric.goals):
            require_engine([task.path])
            problems = asyncio.run(_tried(task, rubric))
    console = Console(soft_wrap=True, highlight=False, markup=False)
    if problems or rubric is None:
        console.print(f"{source} can't be frozen:")
        for problem in problems:
            console.print(f"- {problem}")
        return 1
    write_rubric(path, rubric)
    checked = sum(goal.weight or 0 for goal in rubric.goals if goal.check)
    console.print(f"{path}: {len(rubric.goals)} goals, frozen {rubric.provenance.frozen}, {rubric.provenance.digest}")
    console.print(f"Commands decide {checked:.2f} of the weight. Prove the rest: swe-together check {options.task}")
    return 0


async def _tried(task: "UnjudgedTask", rubric: "Rubric") -> list[str]:
    from swe_together.adapter.fresh import reference_bench
    from swe_together.adapter.hands import Hands
    from swe_together.judge.drafting import red_checks

    try:
        async with reference_bench(task) as bench:
            return await red_checks(rubric, Hands(bench, "root"))
    except EnvironmentFault as fault:
        raise DraftError(fault.message, fault.remedy) from fault


def _today() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).date().isoformat()
