"""What a run of the adapter can be told, by ``--pk`` of the plugin or the agent's ``together`` argument."""

import json
from typing import Any, Literal

from pydantic import Field, ValidationError

from swe_together.errors import MisuseError
from swe_together.schema import Strict

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
        raise MisuseError(
            f"setting {name}: {first['msg']} (found {first['input']!r}).", f"Known settings: {known}."
        ) from None


def without_reserved(kwargs: dict[str, Any] | None) -> dict[str, Any] | None:
    """The inner agent's own arguments."""
    return None if kwargs is None else {k: v for k, v in kwargs.items() if k != RESERVED}
