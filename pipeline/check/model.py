"""What a check finds: the result of every state, the scan of the image, and the verdicts."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from swe_together.schema import Case, CaseKind, Judgement, Strict

CHECK_VERSION = 3
"""Raise when results kept from an earlier version must not be used again."""


class StateResult(Strict):
    """One state of the tree, packed, restored in a fresh container and judged by the task's tests."""

    name: str
    reward: float | None = None
    cases: list[Case] = Field(default_factory=list)
    judgement: Judgement | None = Field(default=None, description="By the goals' own commands.")
    applied: bool = True
    error: str | None = Field(default=None, description="Why the state could not be applied or has no reward.")
    seconds: float = 0
    start_sec: float = 0
    test_sec: float = 0

    @property
    def passed(self) -> set[str]:
        """Ids of the cases that passed."""
        return {case.id for case in self.cases if case.passed}

    @property
    def failed(self) -> set[str]:
        """Ids of the cases that failed."""
        return {case.id for case in self.cases if not case.passed}

    def share(self) -> float:
        """Share of the fail-to-pass weight that passed, whatever became of the pass-to-pass cases."""
        asked = [case for case in self.cases if case.kind is CaseKind.F2P]
        total = sum(case.weight for case in asked)
        return sum(case.weight for case in asked if case.passed) / total if total else 0.0


class ImageScan(Strict):
    """Facts about the container as the agent finds it; each list is empty in a sound image."""

    megabytes: float = 0
    lines: int = Field(default=0, description="Of the trees' text files, git's own aside.")
    build_sec: float = 0
    history: list[str] = Field(default_factory=list)
    caches: list[str] = Field(default_factory=list)
    releases: list[str] = Field(default_factory=list)
    answers: list[str] = Field(default_factory=list)
    private: list[str] = Field(default_factory=list)
    privileges: list[str] = Field(default_factory=list)
    error: str | None = None


class Dialogue(Strict):
    """A whole session of the scripted user with a deterministic agent, without anything that differs between runs."""

    end: str
    reward: float | None
    turns: list[dict[str, Any]]
    settled: list[dict[str, str]]


class DialogueResult(Strict):
    """A dialogue that was played, or why it could not be."""

    play: str
    dialogue: Dialogue | None = None
    error: str | None = None
    seconds: float = 0


class Verdict(Strict):
    """One item of the task bar."""

    item: str
    passed: bool
    detail: str

    @classmethod
    def of(cls, item: str, problems: Iterable[str], good: str) -> "Verdict":
        """A verdict that names every problem, or says what is good where there is none."""
        found = list(problems)
        return cls(item=item, passed=not found, detail="; ".join(found) if found else good)


class DeclaredCase(Strict):
    """A case as ``tests/cases.py`` declares it."""

    id: str
    kind: CaseKind
    turn: int
    weight: float


class TaskCheck(Strict):
    """Everything that is known about one task after a check."""

    format: Literal[1] = 1
    check_version: int = CHECK_VERSION
    task: str
    digest: str
    static: bool = False
    sound: bool
    verdicts: list[Verdict]
    declared: list[DeclaredCase] = Field(default_factory=list)
    states: list[StateResult] = Field(default_factory=list)
    image: ImageScan | None = None
    dialogues: list[DialogueResult] = Field(default_factory=list)
    facts: dict[str, Any] = Field(default_factory=dict, description="Language, package and counts for the overview.")
    seconds: float = 0

    def state(self, name: str) -> StateResult | None:
        """The result of a state, or None where it was not run."""
        return next((state for state in self.states if state.name == name), None)

    def with_paths_from(self, prefix: str) -> "TaskCheck":
        """The same, without the beginning of paths that only a copy of the task has."""
        told = [verdict.model_copy(update={"detail": verdict.detail.replace(prefix, "")}) for verdict in self.verdicts]
        return self.model_copy(update={"verdicts": told})
