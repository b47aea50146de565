"""Tokens of a session, counted once for each message of the model."""

from swe_together.pipeline.sessions._model import Tokens


class Usage:
    """Sums Anthropic's ``usage``, which every record of one message repeats, the last one whole."""

    def __init__(self) -> None:
        self._messages: dict[object, tuple[int, int, int]] = {}

    def add(self, message: object, usage: object) -> None:
        """Take the usage of one record of ``message``. Anything but numbers is passed over."""
        if not isinstance(usage, dict):
            return
        output = usage.get("output_tokens")
        new = usage.get("input_tokens")
        if type(output) is not int and type(new) is not int:
            return
        cached = _count(usage.get("cache_read_input_tokens"))
        total = _count(new) + _count(usage.get("cache_creation_input_tokens")) + cached
        found = (total, cached, _count(output))
        known = self._messages.get(message)
        if known is None or known == found:
            self._messages[message] = found
        else:
            self._messages[message] = (max(known[0], total), max(known[1], cached), max(known[2], found[2]))

    def tokens(self) -> Tokens:
        """The sums; nothing where no record had any."""
        if not self._messages:
            return Tokens()
        total, cached, output = (sum(column) for column in zip(*self._messages.values(), strict=True))
        return Tokens(input=total, cached=cached, output=output)


def _count(value: object) -> int:
    return value if type(value) is int and value > 0 else 0
