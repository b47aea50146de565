"""Attempts at the trials of a job: a line each time that one begins, and one when it has ended."""

from typing import Literal

from pydantic import Field

from swe_together.schema._base import Strict


class AttemptLine(Strict):
    """One line of a job's ``attempts.jsonl``. The fields from ``status`` on are of attempts that have ended."""

    format: Literal[1] = 1
    trial: str
    attempt: str = Field(description="Harbor's id of the attempt; the trial that is kept has the same.")
    event: Literal["begun", "ended"]
    at: str = Field(description="ISO 8601, with the zone.")
    status: str | None = Field(default=None, description="As in the report: ok, or why there was no reward.")
    cause: str | None = None
    reward: float | None = None
    cost_usd: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="Of agent, user, judge and tagger; None where one of them isn't known.",
    )
