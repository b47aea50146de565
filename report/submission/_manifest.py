"""``manifest.json`` of a bundle: every file with its digest, every trial with its versions, and what is claimed."""

from typing import Any, Final, Literal

from pydantic import Field

from swe_together.schema import Strict

MANIFEST: Final = "manifest.json"
TRIAL_FACTS: Final = (
    "task", "task_digest", "dataset", "dataset_version", "repository", "agent", "agent_version", "agent_settings",
    "model", "arm", "policy", "user_model", "simulator", "basis", "judge", "judge_model", "judge_settings",
    "rubric_digest", "sealed", "continuation", "status", "attempt", "reward", "tests", "judge_score", "decided_share",
    "user_correction", "coverage_overall", "turns", "messages", "output_tokens", "reasoning_tokens", "cost_usd",
)  # fmt: skip
"""Columns of the table of trials that a bundle states, so that a reader needn't unpack it to know them."""


class FileEntry(Strict):
    """A file of the bundle."""

    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Claim(Strict):
    """A figure of an entry."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    trials: int
    missing: int


class Manifest(Strict):
    """The manifest. Whatever it claims is worked out again from the files when a bundle is validated."""

    format: Literal[1] = 1
    version: str = Field(description="Of the package that made the bundle.")
    kept: Literal["first", "scored"]
    threshold: float
    level: float
    mixed: list[str]
    statuses: dict[str, int]
    planned: int
    about: dict[str, list[str]]
    settings: list[dict[str, Any]] = Field(description="Of sessions and judges, each that occurs once.")
    states: dict[str, str] = Field(description="SHA-256 of the final state of each trial, by the trial's folder.")
    trials: dict[str, dict[str, Any]] = Field(description="Facts of each trial, by its folder.")
    entries: dict[str, dict[str, Claim]] = Field(description="Figures of each entry, by its label.")
    files: dict[str, FileEntry]
