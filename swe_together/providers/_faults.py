"""What a provider's error means: try again, leave a parameter out, take it as a refusal, or give up."""

import random
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from swe_together.defaults import BACKOFF_MAX_SEC, BACKOFF_SEC

_TRANSIENT_4XX = frozenset({408, 409, 425, 429})
_REJECTION = re.compile(
    r"unsupported|not support|does not|doesn't|unknown|unrecogni[sz]ed|unexpected|invalid|not allowed|not permitted"
    r"|deprecated|requires?|must be|extra (?:inputs|fields)|not available|only the default|is not"
    r"|too (?:large|high)|at most|exceed|maximum",
    re.IGNORECASE,
)
_ALIASES = {
    "tools": r"tool(?:s|_choice|_use| calling| choice| use)?\b|function[ _]call",
    "response_format": r"response_format|json_schema|structured output",
    "max_tokens": r"max_tokens|max_completion_tokens|in the completion\b",
}


class Fault(StrEnum):
    """What to do about an error."""

    RETRY = "retry"
    REFUSED = "refused"
    FATAL = "fatal"


def status_of(error: BaseException) -> int | None:
    """The HTTP status behind an error; None where the connection itself failed."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def meaning(error: BaseException) -> Fault:
    """Whether an error may pass by itself. The provider's own content filter counts as a refusal."""
    if type(error).__name__ == "ContentPolicyViolationError":
        return Fault.REFUSED
    status = status_of(error)
    if status is None or status in _TRANSIENT_4XX or status >= 500 or status < 400:
        return Fault.RETRY
    return Fault.FATAL


def rejected_parameter(error: BaseException, sent: Iterable[str]) -> str | None:
    """The parameter that the provider won't have, where its error names one that was sent.

    Some servers answer 500 where they lack a feature, so that the words decide and not the status alone.
    """
    status = status_of(error)
    if status is None or status in (401, 403, 429) or (status >= 502):
        return None
    text = str(error)
    if not _REJECTION.search(text):
        return None
    return next((name for name in sent if re.search(_ALIASES.get(name, rf"\b{name}\b"), text, re.IGNORECASE)), None)


def pause(attempt: int, rng: random.Random, error: BaseException) -> float:
    """Seconds to wait before the next request: twice as long each time, spread at random, or as the provider asks."""
    asked = _retry_after(error)
    spread = rng.uniform(0.5, 1.0) * min(BACKOFF_MAX_SEC, BACKOFF_SEC * 2.0**attempt)
    return max(spread, min(asked, BACKOFF_MAX_SEC)) if asked is not None else spread


def _retry_after(error: BaseException) -> float | None:
    for holder in (getattr(error, "response", None), error):
        headers: Any = getattr(holder, "headers", None) or getattr(holder, "litellm_response_headers", None)
        value = headers.get("retry-after") if hasattr(headers, "get") else None
        # The header may hold a date as well; then our own pause is as good.
        if isinstance(value, str) and value.strip().replace(".", "", 1).isdigit():
            return float(value)
    return None
