"""Templates of prose: ``[one|other]`` is a choice, ``{name}`` a slot. Parsed once, rendered with a dialogue's dice."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from swe_together.memorycode._dice import Dice

type _Part = str | _Slot | _Choice
_SIGNS = re.compile(r"\[|\]|\||\{\w+\}|[^\[\]|{}]+")


class _Slot(str):
    """The name of a slot."""

    __slots__ = ()


class _Choice(tuple[tuple["_Part", ...], ...]):
    """Alternatives."""

    __slots__ = ()


type Slots = Mapping[str, str | Sequence[str]]
"""What may stand in a slot: a text, or a list of texts (templates, too) of which one is drawn."""


def render(template: str, slots: Slots, dice: Dice) -> str:
    """The template with every choice made and every slot filled.

    Raises:
        KeyError: A slot has no value.
    """
    return "".join(_render(_parse(template), slots, dice))


def _render(parts: Sequence[_Part], slots: Slots, dice: Dice) -> list[str]:
    found: list[str] = []
    for part in parts:
        if isinstance(part, _Choice):
            found += _render(dice.choice(part), slots, dice)
        elif isinstance(part, _Slot):
            value = slots[part]
            found.append(value if isinstance(value, str) else render(dice.choice(value), slots, dice))
        else:
            found.append(part)
    return found


@cache
def _parse(template: str) -> tuple[_Part, ...]:
    signs = _SIGNS.findall(template)
    if "".join(signs) != template:
        raise ValueError(f"stray brace in template {template!r}")
    parts, end = _sequence(signs, 0)
    if end != len(signs):
        raise ValueError(f"bracket closed too early in template {template!r}")
    return parts


def _sequence(signs: Sequence[str], place: int) -> tuple[tuple[_Part, ...], int]:
    parts: list[_Part] = []
    while place < len(signs) and signs[place] not in ("|", "]"):
        sign = signs[place]
        place += 1
        if sign == "[":
            options = []
            while True:
                option, place = _sequence(signs, place)
                options.append(option)
                if place >= len(signs):
                    raise ValueError("a bracket is never closed")
                place += 1
                if signs[place - 1] == "]":
                    break
            parts.append(_Choice(options))
        elif sign.startswith("{"):
            parts.append(_Slot(sign[1:-1]))
        else:
            parts.append(sign)
    return tuple(parts), place
