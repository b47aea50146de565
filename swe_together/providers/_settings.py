"""Which model is asked, where its key lies, and for whom."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from swe_together.defaults import OUTPUT_TOKENS
from swe_together.errors import MisuseError, TogetherError
from swe_together.providers._completions import Completion, Structure

NO_KEY = "none"
"""What a server of one's own is sent as its key where there is none."""


@dataclass(frozen=True)
class ProviderSettings:
    """Which model is asked. Names of host variables that hold keys may stand here, keys never.

    Attributes:
        model: LiteLLM's name of it, e.g. ``anthropic/claude-opus-4-8``.
        temperature: None leaves it to the provider.
        api_key_env: Host variable with the key; empty where the provider finds its own credentials.
        base_url: Another address than the provider's own.
        structure: None finds out what the provider has. Some servers take tools and then ignore them.
        max_tokens: Longest answer, in tokens, the model's thinking included.
    """

    model: str
    temperature: float | None = 0.0
    api_key_env: str = ""
    base_url: str | None = None
    structure: Structure | None = None
    max_tokens: int = OUTPUT_TOKENS


@dataclass(frozen=True)
class Role:
    """Whose model it is, in the words of its errors.

    Attributes:
        who: ``user``, ``judge``, …; the settings of the role begin with it.
        work: What the time belongs to: ``session``, ``judgement``, …
        error: What a failure is raised as; takes message, remedy, and what is known of the requests that failed.
        remedy: What to do about a failure.
        option: How the host variable with the key is named; by default the plugin's setting.
    """

    who: str
    work: str
    error: Callable[[str, str, Completion], TogetherError]
    remedy: str
    option: str = ""


def key_of(settings: ProviderSettings, role: Role) -> str | None:
    """The key from its host variable; LiteLLM would otherwise take the one that belongs to the agent.

    Raises:
        MisuseError: The variable isn't set.
    """
    if not settings.api_key_env:
        return None
    key = os.environ.get(settings.api_key_env, "")
    if key:
        return key
    if settings.base_url is not None:
        return NO_KEY
    raise MisuseError(
        f"The host variable {settings.api_key_env} with the key of {settings.model!r} is not set.",
        f"Set it, or name another one: {role.option or f'--pk {role.who}_api_key_env=NAME'}; empty for the provider's"
        " own credentials.",
    )
