"""What a run of the adapter can be told, by ``--pk`` of the plugin or the agent's ``together`` argument."""

import json
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from swe_together.errors import MisuseError
from swe_together.providers import key_of
from swe_together.schema import Strict
from swe_together.simulator import MODEL_POLICIES, HumanUser, read_answers
from swe_together.simulator.model import USER, ModelSettings

RESERVED = "together"
"""The one agent argument that is ours; popped before the inner agent sees its own."""


class Settings(Strict):
    """Settings of a session, the same for every trial of a job. Names of keys may stand here, keys never."""

    user: str = Field(default="scripted", description="Policy of the simulated user.")
    arm: Literal["interactive", "full-spec", "first-message"] = "interactive"
    continuation: Literal["native", "restated", "fresh"] | None = Field(
        default=None, description="None takes native where the agent can resume, else restated."
    )
    turn_sec: float | None = Field(default=None, gt=0, description="Overrides the task's per-turn deadline.")
    session_sec: float | None = Field(default=None, gt=0, description="Overrides the task's session budget.")
    user_model: str | None = Field(default=None, min_length=1, description="LiteLLM's name of the user's model.")
    user_temperature: float | None = Field(default=0.0, ge=0, le=2, description="None leaves it to the provider.")
    user_api_key_env: str = Field(
        default="SWE_TOGETHER_USER_API_KEY",
        pattern=r"^([A-Z][A-Z0-9_]*)?$",
        description="Name of the host variable with the key of the user's model; empty if the provider needs none.",
    )
    user_base_url: str | None = Field(
        default=None, pattern=r"^https?://[^@\s]+$", description="Where that model is served."
    )
    user_structure: Literal["tool", "schema", "text"] | None = Field(
        default=None, description="How that model's answers get their form. None finds out what its provider has."
    )
    user_max_tokens: int = Field(default=8000, ge=1, description="Longest answer of that model, thinking included.")
    replay_from: str | None = Field(default=None, description="For user=replay: a recorded trial, or its job.")

    human_answers: str | None = Field(
        default=None, description="For user=human: a file with the person's messages, a YAML or JSON list."
    )

    @model_validator(mode="after")
    def _policy_has_what_it_needs(self) -> Self:
        if self.user in MODEL_POLICIES and self.user_model is None:
            raise ValueError(f"user={self.user} needs a model: user_model=PROVIDER/MODEL")
        if self.user == "replay" and self.replay_from is None:
            raise ValueError("user=replay needs a recorded run: replay_from=jobs/JOB/TRIAL")
        if self.human_answers is not None:
            if self.user != HumanUser.name:
                raise ValueError("human_answers needs user=human")
            read_answers(Path(self.human_answers))
        return self

    @property
    def model(self) -> ModelSettings | None:
        """The model that plays the user; None where the policy needs none."""
        if self.user_model is None or self.user not in MODEL_POLICIES:
            return None
        return ModelSettings(
            self.user_model,
            self.user_temperature,
            self.user_api_key_env,
            self.user_base_url,
            self.user_structure,
            self.user_max_tokens,
        )

    def require_keys(self) -> None:
        """Make sure that the key of the user's model is there before a job begins.

        Raises:
            MisuseError: Its host variable isn't set.
        """
        if self.model is not None:
            key_of(self.model, USER)


def parse_settings(value: object) -> Settings:
    """Read the settings from keyword arguments: a mapping, or its JSON text.

    Raises:
        MisuseError: An unknown setting or a wrong value.
    """
    if isinstance(value, Settings):
        return value
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError:
            raise MisuseError(
                f"setting {RESERVED}={value!r} is not JSON.", 'Write e.g. {"user": "scripted"}.'
            ) from None
    try:
        return Settings.model_validate(value or {})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or RESERVED
        known = ", ".join(Settings.model_fields)
        # Whoever gives a key where its name belongs, or under a name of their own, must not find it in a log.
        hidden = name in ("user_api_key_env", "user_base_url", RESERVED) or first["type"] == "extra_forbidden"
        found = "" if hidden else f" (found {first['input']!r})"
        raise MisuseError(f"setting {name}: {first['msg']}{found}.", f"Known settings: {known}.") from None


def without_reserved(kwargs: dict[str, Any] | None) -> dict[str, Any] | None:
    """The inner agent's own arguments."""
    return None if kwargs is None else {k: v for k, v in kwargs.items() if k != RESERVED}
