"""Items of the bar that need no container."""

import re
import tomllib
from pathlib import Path
from typing import Any

from swe_together.adapter.state import collect_command
from swe_together.errors import TaskError
from swe_together.gaps import find_marks
from swe_together.pipeline.check import bar
from swe_together.pipeline.check.contribution import image_is_pinned, instruction_keeps_quiet, words_are_own
from swe_together.pipeline.check.materials import context_is_whole, stages_fit
from swe_together.pipeline.check.model import DeclaredCase, Verdict
from swe_together.pipeline.check.subject import ASSETS, HELPERS, Subject, declared_cases, make_subject
from swe_together.pipeline.check.telling import session_agrees
from swe_together.schema import TaskMetadata
from swe_together.tasks import TaskBundle, find_problems, load_task

FMT_ITEMS = ("test helpers", "collect command")
"""Items that ``swe-together fmt`` makes right; without them no state comes through."""


def read_task(path: Path) -> tuple[Verdict, TaskBundle | None, list[DeclaredCase]]:
    """Read a task and its declared cases; the verdict names everything wrong with its files.

    Raises:
        MisuseError: There is no such directory.
    """
    problems = [str(problem) for problem in find_problems(path)]
    declared: list[DeclaredCase] = []
    try:
        declared = declared_cases(path)
    except TaskError as problem:
        problems.append(str(problem))
    bundle = None if problems else load_task(path)
    detail = "\n".join(problems) if problems else "every file is there and valid"
    return Verdict(item="files", passed=not problems, detail=detail), bundle, declared


def static_verdicts(bundle: TaskBundle, declared: list[DeclaredCase]) -> tuple[Subject, list[Verdict]]:
    """Every item that files alone decide."""
    subject = make_subject(bundle, declared)
    return subject, [
        lint(bundle.path),
        marks(bundle.path),
        helpers(bundle.path),
        collect(bundle),
        settings(bundle.config, bundle.metadata, bundle.path / "environment" / "Dockerfile"),
        context_is_whole(bundle),
        image_is_pinned(bundle),
        instruction_keeps_quiet(bundle, subject),
        words_are_own(bundle),
        bar.goals_and_cases(subject),
        bar.turns_have_cases(subject),
        bar.proofs_are_there(subject),
        bar.checks_cover(subject),
        stages_fit(bundle),
        session_agrees(bundle),
    ]


def lint(path: Path) -> Verdict:
    """``harbor lint`` with its default rules and the task's own suppressions."""
    from harbor.lint import lint_task
    from harbor.lint.models import DEFAULT_RULES, LintConfig

    config = tomllib.loads((path / "task.toml").read_text(encoding="utf-8"))
    own = config.get("metadata", {}).get("harbor", {}).get("lint", {})
    findings = lint_task(path, selected_rules=LintConfig.model_validate(own).apply(set(DEFAULT_RULES)))
    shown = [f"{Path(f.path).relative_to(path.resolve())}: {f.message} [{f.rule}]" for f in findings]
    return Verdict.of("harbor lint", shown, "clean")


def marks(path: Path) -> Verdict:
    """Somebody has read every place that a rule or a model wrote."""
    left = [f"{mark.file.relative_to(path)}:{mark.line}: {mark.text}" for mark in find_marks(path)]
    return Verdict.of("everything read", left, "no <<review: …>> is left")


def helpers(path: Path) -> Verdict:
    """The common helpers of the tests are those of this package, byte for byte."""
    problems = []
    for name in HELPERS:
        file = path / "tests" / name
        if not file.is_file():
            problems.append(f"tests/{name} is missing")
        elif file.read_bytes() != (ASSETS / name).read_bytes():
            problems.append(f"tests/{name} differs from the package's own")
    return _generated("test helpers", problems, "identical to the package's own")


def collect(bundle: TaskBundle) -> Verdict:
    """task.toml packs the final state exactly as the package says."""
    wanted = collect_command(bundle.metadata.trees, bundle.metadata.exclude)
    hooks = bundle.config.get("verifier", {}).get("collect", [])
    problems = []
    if len(hooks) != 1:
        problems.append(f"task.toml has {len(hooks)} [[verifier.collect]] tables instead of one")
    elif hooks[0].get("command") != wanted:
        problems.append("the command of [[verifier.collect]] differs from the package's own")
    elif hooks[0].get("user") != "root":
        problems.append('[[verifier.collect]] must have user = "root"')
    return _generated("collect command", problems, "packs the trees as the package does")


def settings(config: dict[str, Any], metadata: TaskMetadata, dockerfile: Path) -> Verdict:
    """Settings of Harbor and of the image that every task must share."""
    problems = []
    if config.get("verifier", {}).get("environment_mode") != "separate":
        problems.append('task.toml: [verifier] environment_mode must be "separate"')
    if config.get("agent", {}).get("user") != "agent":
        problems.append('task.toml: [agent] user must be "agent"')
    if config.get("verifier", {}).get("user") not in (None, "root"):
        problems.append("task.toml: [verifier] user must be root")
    sources = [a.get("source") if isinstance(a, dict) else a for a in config.get("artifacts", [])]
    if sources != ["/var/lib/swe-together"]:
        problems.append('task.toml: artifacts must be [{ source = "/var/lib/swe-together" }]')
    text = dockerfile.read_text(encoding="utf-8", errors="replace") if dockerfile.is_file() else ""
    last = re.split(r"(?mi)^FROM\s", text)[-1]
    if not re.search(r"(?m)^STOPSIGNAL\s+SIGKILL\s*$", last):
        problems.append("environment/Dockerfile: the last stage lacks STOPSIGNAL SIGKILL")
    # Tools of an agent that is told no folder start in the last one.
    folders = re.findall(r"(?mi)^WORKDIR\s+(\S+)\s*$", last)
    if not folders or folders[-1].strip("\"'") != metadata.trees[0]:
        problems.append(f"environment/Dockerfile: the last WORKDIR must be {metadata.trees[0]}")
    if config.get("environment", {}).get("workdir", metadata.trees[0]) != metadata.trees[0]:
        problems.append(f'task.toml: [environment] workdir must be "{metadata.trees[0]}"')
    named = sorted(set(re.findall(r"(?i)--platform=\S+|\b(?:amd64|x86[_-]64|arm64|aarch64)\b", text)))
    if named and len(metadata.processors) > 1:
        problems.append(
            f"environment/Dockerfile names one processor ({', '.join(named)}): say in task.toml which ones the image "
            'is for, e.g. processors = ["amd64"]'
        )
    return Verdict.of("settings", problems, "separate verifier, user agent, STOPSIGNAL, WORKDIR, processors")


def _generated(item: str, problems: list[str], good: str) -> Verdict:
    return Verdict.of(item, [f"{problem}: run swe-together fmt" for problem in problems], good)
