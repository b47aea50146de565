"""What a trial cost: agent, user, judge and tagger apart."""

from typing import Literal

from pydantic import Field

from swe_together.schema._base import Strict
from swe_together.schema._results import Usage


class PartLedger(Strict):
    """What one part of a trial cost.

    None is unknown, and ``note`` says why. A part that asked no model has spent nothing: zeros, and ``note`` says so.
    """

    models: list[str] = Field(default_factory=list, description="Whoever was asked, in alphabetical order.")
    answers: int | None = Field(default=None, ge=0, description="Of models, those that could not be used included.")
    failed_requests: int | None = Field(
        default=None, ge=0, description="Requests without an answer. Whether a provider charges for them, nobody tells."
    )
    usage: Usage = Field(default=Usage(), description="Of all answers; None where that of one of them is unknown.")
    seconds: float | None = Field(default=None, ge=0, description="Wall time, waiting for a provider included.")
    note: str = ""


class TrialLedger(Strict):
    """``verifier/ledger.json``: what a trial cost. What failed has cost as well."""

    format: Literal[1] = 1
    agent: PartLedger
    user: PartLedger
    judge: PartLedger = Field(description="Of the trial's own judging.")
    tagger: PartLedger
    judged_again: PartLedger | None = Field(default=None, description="Of judging again later; None where nobody did.")
