"""Whether what a user says outside the anchors has a ground: a fact that stands in what the user sees."""

from swe_together.simulator.guards._text import content
from swe_together.simulator.model._requests import Request

_QUOTE_MIN_CHARS = 4
_SEEN = "\n# What you see\n"
_OPTIONS = "\n# You may say now\n"


def seen_part(request: Request) -> str:
    """What the user sees of the turn, tries of its own included, as the prompt shows it."""
    return request.user.partition(_SEEN)[2].rpartition(_OPTIONS)[0]


def ungrounded(words: str, quote: str, seen: str) -> str | None:
    """Why ``quote`` is no ground for saying ``words``; None if it is one.

    Args:
        words: The message.
        quote: The fact that it points at.
        seen: What the user sees, as ``seen_part`` gives it.
    """
    quote = " ".join(quote.split())
    if len(quote) < _QUOTE_MIN_CHARS or quote not in " ".join(seen.split()):
        return '`quote` doesn\'t stand under "What you see": copy it exactly, or say nothing.'
    if not content(quote) & content(words) and quote.casefold() not in " ".join(words.split()).casefold():
        return "The message doesn't speak of what it quotes."
    return None
