"""One case for every rule that holds at the end of the meetings: does the code that was asked for obey it?

Root judges, and only looks at the code: syntax tree, tokens, the history that git tells as the candidate's user. What
the code does is found out by a driver in that user's own process. A rule is judged on every request that has something
for it; the first of them, its home, must do its work too, so that a stub earns nothing.
"""

import json
import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from checker._rules_model import ObjectKind, RuleResult, Submission
from checker.checker import check
from functional import RUNNER, driver_data, failures
from harness import LOGS, Runner, case
from harness import _write as write

TOLD = json.loads(Path(__file__).with_name("told.json").read_text(encoding="utf-8"))
NOTES = "NOTES.md"
FILE_BYTES = 1_000_000
MOST_FILES = 20_000
# Neither a message nor a path can hold a NUL, so that no words of a message pass for another commit.
_COMMIT = re.compile(r"\0\0([^\0]*)\0\0\0(?:\n((?:[^\0]+\0)+))?")


@dataclass(frozen=True)
class Commit:
    """A commit of the candidate's: its whole message, and the paths that it touched."""

    message: str
    paths: Sequence[str]


@dataclass(frozen=True)
class Answer:
    """What was delivered for one request; ``problems`` say where it doesn't do what was asked."""

    submission: Submission
    results: Mapping[str, RuleResult]
    problems: Sequence[str]


def tree_paths(root: str) -> list[str]:
    """Paths of the tree's regular files, relative to it; folders of tools are left out, links not followed."""
    found: list[str] = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in ("__pycache__", "node_modules"))
        found += [Path(folder, name).relative_to(root).as_posix() for name in sorted(names)]
        if len(found) > MOST_FILES:
            break
    return found[:MOST_FILES]


def text_of(root: str, path: str) -> str | None:
    """The text of a regular file below the tree; None for anything else. Nobody else runs while root looks.

    Of a file that is too long, as much as shows the checker that it is.
    """
    file = Path(root, path)
    try:
        if not stat.S_ISREG(file.lstat().st_mode):
            return None
        with file.open("rb") as opened:
            return opened.read(FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return None


def commits(run: Runner) -> list[Commit]:
    """Everything committed, oldest first, as git tells the candidate's user. The import touches no request's path."""
    argv = ["git", "-C", run.tree, "-c", "core.fsmonitor=false", "log", "--reverse", "--no-renames", "-z"]
    argv += ["--name-only", "--format=%x00%x00%B%x00%x00", "HEAD", "--"]
    told = run.command(argv, timeout=60)
    if told.code != 0:
        return []  # no repository any more, or none that git reads: then nothing was committed
    return [
        Commit(message.strip("\n"), [path for path in paths.split("\0") if path])
        for message, paths in _COMMIT.findall(told.stdout)
    ]


def owner(path: str) -> str | None:
    """The request that a path belongs to by its name: the one whose file's name it holds, the longest such."""
    stem = PurePosixPath(path).stem
    owners = [one for one in TOLD["requests"] if PurePosixPath(one["path"]).stem in stem]
    return max(owners, key=lambda one: len(one["path"]))["id"] if owners else None


def submission(request: str, run: Runner, paths: Sequence[str], history: Sequence[Commit]) -> Submission:
    """What was delivered for a request: files of its name, commits that touch them, and what else these touch."""
    own = [path for path in paths if owner(path) == request]
    its_commits = [one for one in history if any(owner(path) == request for path in one.paths)]
    beside = {path for one in its_commits for path in one.paths if owner(path) is None and path != NOTES}
    texts = {path: text_of(run.tree, path) for path in [*own, *sorted(beside & set(paths))]}
    return Submission(
        {path: text for path, text in texts.items() if text is not None}, tuple(one.message for one in its_commits)
    )


def works(request: Mapping[str, Any], delivered: Submission, run: Runner) -> list[str]:
    """Where the delivered code doesn't do what was asked; empty where it does."""
    files = sorted(path for path in delivered.files if path.endswith(".py"))
    if not files:
        return [f"nothing was written for {request['path']}"]
    data = driver_data(run.tree, files, request["tests"])
    try:
        return list(failures(run.python(RUNNER, data=data, timeout=60), request["tests"]))
    except AssertionError as failure:
        return [str(failure)]


def answer(request: Mapping[str, Any], run: Runner, paths: Sequence[str], history: Sequence[Commit]) -> Answer:
    """Judge what was delivered for one request."""
    delivered = submission(request["id"], run, paths, history)
    active = {rule["rule"]: rule["variants"][-1] for rule in TOLD["rules"]}
    introduced = {rule["rule"]: rule["variants"] for rule in TOLD["rules"]}
    profile = [ObjectKind(kind) for kind in request["profile"]]
    try:
        results = check(delivered, active, introduced=introduced, profile=profile)
    except (RecursionError, MemoryError) as error:
        return Answer(delivered, {}, [f"the code can't be read: {type(error).__name__}"])
    return Answer(delivered, {result.rule: result for result in results}, works(request, delivered, run))


def verdict(rule: Mapping[str, Any], answers: Mapping[str, Answer]) -> dict[str, Any]:
    """How a rule fared: on each request that has something for it, and in all."""
    pairs = [
        {"request": request, **asdict(result)}
        for request, one in answers.items()
        if (result := one.results.get(rule["rule"])) is not None
    ]
    home = answers[rule["home"]]
    reasons = [f"{pair['request']}: {pair['reason']}" for pair in pairs if not pair["met"]]
    if rule["rule"] not in home.results:
        reasons.insert(0, f"{rule['home']}: {home.problems[0]}")
    elif home.problems:
        reasons.append(f"{rule['home']} doesn't do what was asked: {home.problems[0]}")
    stale = next((pair["stale"] for pair in pairs if pair["stale"]), None)
    return {**rule, "met": not reasons, "reason": "; ".join(reasons), "stale": stale, "pairs": pairs}


def obeyed(distractor: Mapping[str, Any], answers: Mapping[str, Answer]) -> dict[str, Any]:
    """Whether an instruction that has nothing to do with code has left its mark in what was delivered."""
    texts = [text for one in answers.values() for text in (*one.submission.files.values(), *one.submission.commits)]
    return {**distractor, "obeyed": any(mark in text for text in texts for mark in distractor["marks"])}


def judge() -> list[dict[str, Any]]:
    """Judge everything and write ``memorycode.json`` for the report; the rules' verdicts."""
    run = Runner(os.environ.get("TREE", "/workspace"))
    paths, history = tree_paths(run.tree), commits(run)
    answers = {request["id"]: answer(request, run, paths, history) for request in TOLD["requests"]}
    verdicts = [verdict(rule, answers) for rule in TOLD["rules"]]
    notes = Path(run.tree, NOTES)
    LOGS.mkdir(parents=True, exist_ok=True)
    write(
        LOGS / "memorycode.json",
        {
            "format": 1,
            **{key: TOLD[key] for key in ("dialogue", "arm", "size", "seed", "pool")},
            "rules": verdicts,
            "requests": [{"id": name, "problems": list(one.problems)[:5]} for name, one in answers.items()],
            "distractors": [obeyed(one, answers) for one in TOLD["distractors"]],
            "notes_bytes": notes.lstat().st_size if notes.is_file() and not notes.is_symlink() else None,
        },
    )
    return verdicts


def declare(found: Mapping[str, Any]) -> None:
    """Declare the case of one rule."""

    def rule(run: Runner) -> None:
        assert found["met"], found["reason"]

    rule.__name__ = f"rule-{found['rule']}"
    case(turn=TOLD["turn"])(rule)


# Judged before any case is played: a fault of ours then leaves no reward, instead of cases that fail.
for _found in judge():
    declare(_found)
