"""Named sets of settings: ``--pk preset=NAME``. What is said explicitly wins."""

from collections.abc import Mapping
from typing import Any, Final

from swe_together.errors import MisuseError

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "free": {"user": "scripted", "judge": "on", "judge_model": None, "tagger_model": None},
    "paper": {
        "user": "llm",
        "user_model": "gemini/gemini-3.1-pro-preview",
        "user_temperature": 0.5,
        "turn_sec": 1800.0,
        "session_sec": 5400.0,
        "judge_model": "anthropic/claude-opus-4-6",
        # Its judge runs at the provider's own temperature, once, and knows no commands of the goals.
        "judge_temperature": None,
        "judge_votes": 1,
        "judge_checks": "ignore",
        "judge_turns": 50,
        "judge_sec": 1200.0,
        "tagger_model": "gemini/gemini-3.1-pro-preview",
        "tagger_temperature": 0.0,
    },
}
"""``free`` needs no model at all. ``paper``: as near to the published protocol as our sessions allow; docs/judge.md."""


def with_preset(told: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with those of their preset filled in. Where a preset's judge is turned off, none of its settings stay.

    Raises:
        MisuseError: There is no such preset.
    """
    rest = dict(told)
    name = rest.pop("preset", None)
    if name is None:
        return rest
    if not isinstance(name, str) or name not in PRESETS:
        raise MisuseError(f"setting preset: there is no preset {name!r}.", f"Presets: {', '.join(PRESETS)}.")
    filled = PRESETS[name]
    if rest.get("judge") == "off" or rest.get("judge_model", "") is None:
        filled = {setting: value for setting, value in filled.items() if not setting.startswith("judge_")}
    return {**filled, **rest}
