"""How a judgement is made. What is in force is stored with every result."""

from typing import Literal, Self

from pydantic import Field, model_validator

from swe_together import defaults
from swe_together.errors import JudgeError, TaggerError
from swe_together.providers import Completion, ProviderSettings, Role
from swe_together.schema import Strict

Checks = Literal["trust", "confirm", "ignore"]
"""What a model judge makes of the goals' own commands: they decide; they are shown and the model decides; not run."""


class JudgeUnanswered(JudgeError):
    """The judge's provider gave no answer. ``tries``: what is known of the requests that failed."""

    def __init__(self, message: str, remedy: str, tries: Completion) -> None:
        super().__init__(message, remedy)
        self.tries = tries


class TaggerUnanswered(TaggerError):
    """The tagger's provider gave no answer. ``tries``: what is known of the requests that failed."""

    def __init__(self, message: str, remedy: str, tries: Completion) -> None:
        super().__init__(message, remedy)
        self.tries = tries


JUDGE = Role(
    "judge", "judgement", JudgeUnanswered, "Look at the provider's status and limits, then judge the trial again."
)
TAGGER = Role(
    "tagger", "question", TaggerUnanswered, "Look at the provider's status and limits, then tag the trial again."
)


class ModelChoice(Strict):
    """Which model is asked. Names of host variables that hold keys may stand here, keys never."""

    model: str = Field(min_length=1, description="LiteLLM's name of the model.")
    temperature: float | None = Field(default=0.0, ge=0, le=2, description="None leaves it to the provider.")
    api_key_env: str = Field(pattern=r"^([A-Z][A-Z0-9_]*)?$", description="Host variable with the key; may be empty.")
    base_url: str | None = Field(default=None, pattern=r"^https?://[^@\s]+$")
    structure: Literal["tool", "schema", "text"] | None = Field(default=None, description="None finds out.")
    max_tokens: int = Field(default=defaults.OUTPUT_TOKENS, gt=0)

    @property
    def provider(self) -> ProviderSettings:
        """The same for the client."""
        return ProviderSettings(**self.model_dump())


class JudgeModel(ModelChoice):
    """The judge's model."""

    api_key_env: str = Field(default="SWE_TOGETHER_JUDGE_API_KEY", pattern=r"^([A-Z][A-Z0-9_]*)?$")


class TaggerModel(ModelChoice):
    """The model that tags messages and matches them with intents."""

    api_key_env: str = Field(default="SWE_TOGETHER_TAGGER_API_KEY", pattern=r"^([A-Z][A-Z0-9_]*)?$")


class JudgeSettings(Strict):
    """Settings of a judgement. Without a model the goals' own commands alone decide."""

    model: JudgeModel | None = None
    votes: int = Field(default=1, ge=1, le=25, description="Odd, so that there is always a majority.")
    seed: int = 0
    checks: Checks = "trust"
    seconds: float = Field(default=defaults.JUDGE_SEC, gt=0, description="Of one vote.")
    turns: int = Field(default=defaults.JUDGE_TURNS, ge=2, description="Answers of one vote, the submission included.")
    tokens: int = Field(default=defaults.JUDGE_TOKENS, gt=0, description="Of one vote, requests and answers together.")

    @model_validator(mode="after")
    def _decidable(self) -> Self:
        if self.votes % 2 == 0:
            raise ValueError(f"votes must be odd, so that there is always a majority (found {self.votes})")
        if self.model is None and self.votes != 1:
            raise ValueError("votes need a model: commands give the same verdict every time")
        if self.model is None and self.checks == "ignore":
            raise ValueError("checks=ignore needs a model: nothing would be decided")
        return self
