"""What a run can be told about judging, flat, by ``--pk`` of the plugin or ``--verifier-kwarg`` of a regrade."""

import json
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from swe_together import defaults
from swe_together.adapter.settings import RESERVED
from swe_together.errors import MisuseError
from swe_together.judge import JUDGE, TAGGER, JudgeModel, JudgeSettings, TaggerModel
from swe_together.providers import key_of
from swe_together.schema import Strict

_KEY = r"^([A-Z][A-Z0-9_]*)?$"
_URL = r"^https?://[^@\s]+$"


class JudgingSettings(Strict):
    """Settings of judging, the same for every trial of a job. Names of keys may stand here, keys never."""

    judge: Literal["on", "off"] = Field(default="on", description="off: the tests alone; no goal is decided.")
    judge_model: str | None = Field(
        default=None,
        min_length=1,
        description="LiteLLM's name of the judge's model. Its score is the reward then.",
    )
    judge_temperature: float | None = Field(default=0.0, ge=0, le=2, description="None leaves it to the provider.")
    judge_api_key_env: str = Field(default="SWE_TOGETHER_JUDGE_API_KEY", pattern=_KEY)
    judge_base_url: str | None = Field(default=None, pattern=_URL)
    judge_structure: Literal["tool", "schema", "text"] | None = None
    judge_max_tokens: int = Field(default=defaults.OUTPUT_TOKENS, gt=0)
    judge_votes: int = Field(default=1, ge=1, le=25, description="Odd.")
    judge_seed: int = 0
    judge_checks: Literal["trust", "confirm", "ignore"] = "trust"
    judge_sec: float = Field(default=defaults.JUDGE_SEC, gt=0, description="Of one vote.")
    judge_turns: int = Field(default=defaults.JUDGE_TURNS, ge=2)
    judge_tokens: int = Field(default=defaults.JUDGE_TOKENS, gt=0)
    tagger_model: str | None = Field(
        default=None, min_length=1, description="Tags and matches free messages; anchors need none."
    )
    tagger_temperature: float | None = Field(default=0.0, ge=0, le=2)
    tagger_api_key_env: str = Field(default="SWE_TOGETHER_TAGGER_API_KEY", pattern=_KEY)
    tagger_base_url: str | None = Field(default=None, pattern=_URL)
    tagger_structure: Literal["tool", "schema", "text"] | None = None
    tagger_max_tokens: int = Field(default=defaults.OUTPUT_TOKENS, gt=0)

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if self.judge == "off" and self.judge_model is not None:
            raise ValueError("judge=off and judge_model exclude each other")
        if self.judge == "on":
            _ = self.judging
        return self

    @property
    def judging(self) -> JudgeSettings:
        """The same for the judge."""
        model = None
        if self.judge_model is not None:
            model = JudgeModel(
                model=self.judge_model,
                temperature=self.judge_temperature,
                api_key_env=self.judge_api_key_env,
                base_url=self.judge_base_url,
                structure=self.judge_structure,
                max_tokens=self.judge_max_tokens,
            )
        return JudgeSettings(
            model=model,
            votes=self.judge_votes,
            seed=self.judge_seed,
            checks=self.judge_checks,
            seconds=self.judge_sec,
            turns=self.judge_turns,
            tokens=self.judge_tokens,
        )

    @property
    def tagging(self) -> TaggerModel | None:
        """The tagger's model; None where only authored labels count."""
        if self.tagger_model is None:
            return None
        return TaggerModel(
            model=self.tagger_model,
            temperature=self.tagger_temperature,
            api_key_env=self.tagger_api_key_env,
            base_url=self.tagger_base_url,
            structure=self.tagger_structure,
            max_tokens=self.tagger_max_tokens,
        )

    def require_keys(self) -> None:
        """Make sure that the keys are there before a job begins.

        Raises:
            MisuseError: A host variable isn't set.
        """
        if (model := self.judging.model) is not None:
            key_of(model.provider, JUDGE)
        if self.tagging is not None:
            key_of(self.tagging.provider, TAGGER)


def parse_judging(value: Mapping[str, Any] | str | None) -> JudgingSettings:
    """Read the settings from keyword arguments: a mapping, or its JSON text.

    Raises:
        MisuseError: An unknown setting or a wrong value.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError:
            raise MisuseError(f"setting {RESERVED}={value!r} is not JSON.", 'Write e.g. {"judge": "on"}.') from None
    try:
        return JudgingSettings.model_validate(value or {})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or "judging"
        hidden = name.endswith(("api_key_env", "base_url")) or first["type"] == "extra_forbidden" or not first["loc"]
        found = "" if hidden else f" (found {first['input']!r})"
        known = ", ".join(JudgingSettings.model_fields)
        problem = first["msg"].removeprefix("Value error, ")
        raise MisuseError(f"setting {name}: {problem}{found}.", f"Known settings: {known}.") from None
