"""Anchors from what a person said after the first message, with what a rule can say of labels and conditions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from swe_together.pipeline.base import Reference, Repository, Turn
from swe_together.pipeline.build._labels import Label, label_of
from swe_together.pipeline.build._phrases import ENGLISH, PHRASES
from swe_together.schema import Action, Anchor, Insist, Intent, Predicate, Tag
from swe_together.schema._predicates import Any_, PathChanged, PathExists

_WORDS: Final = re.compile(r"[a-z0-9]+")
_DULL: Final = frozenset(
    _WORDS.findall(
        "the a an and or but so of to in on at for with from by it its is are was be been this that these those you"
        " your we i me my can could would please now also ok okay not no yes do does did have has just then there what"
    )
)
_SLUG_WORDS: Final = 4
_SLUG_CHARS: Final = 56
"""An id has at most 64; a number may follow."""
_PATHS: Final = 8
_ANEW: Final = "the message is in the recorded words; write it anew, in words of your own"
_SIGNS: Final = re.compile(r"([*?\[\]{}!\\])")


@dataclass(frozen=True, slots=True)
class DraftAnchor:
    """An anchor as a rule writes it, its label, and what a person should look at."""

    anchor: Anchor
    label: Label
    reviews: tuple[str, ...]


def fold_repetitions(turns: Sequence[Turn], said: Sequence[str]) -> tuple[list[Turn], list[str]]:
    """The turns, those joined to the one before whose words were said already: no user sends a message twice.

    Args:
        turns: Of a session as it was recorded, or as it may be shown.
        said: The words of each by which repetitions are told: the same for both, so that both are joined alike.

    Returns:
        The turns, numbered anew, and what was joined.
    """
    kept: list[Turn] = []
    joined: list[str] = []
    known = set[str]()
    for turn, text in zip(turns, said, strict=True):
        words = " ".join(text.split()).casefold()
        if words in known and kept:
            before = kept[-1]
            kept[-1] = replace(before, events=(*before.events, *turn.events))
            joined.append(f"message {turn.number} repeats earlier words; its work counts to the one before")
            continue
        known.add(words)
        kept.append(replace(turn, number=len(kept)))
    return kept, joined


def anchors_of(
    turns: Sequence[Turn],
    changes: Mapping[int, Sequence[str]],
    added: Mapping[int, Sequence[str]],
    *,
    anew: bool = False,
    language: str = ENGLISH,
) -> list[DraftAnchor]:
    """An anchor for every follow-up.

    Args:
        turns: The session, the first message included.
        changes: Paths that the reference changes in each turn.
        added: Those of them that it adds.
        anew: The recorded words must be written anew before the task is passed on.
        language: Two letters of the session's.
    """
    found: list[DraftAnchor] = []
    used = set[str]()
    ids = {turn.number: _unique(_slug(turn.text, turn.number), used) for turn in turns[1:]}
    redirects = {turn.number for turn in turns[1:]
                 if label_of(turn, language).action is Action.REDIRECT and _touched(turn.number, changes)}  # fmt: skip
    for turn in turns[1:]:
        label = label_of(turn, language)
        earlier = [number for number in ids if number < turn.number and number not in redirects]
        later = [number for number in ids if number > turn.number and number not in redirects]
        fields: dict[str, object] = {}
        reviews = [f"action {label.action.value}, tag {label.tags[0].value}: {label.why}"]
        if label.action is Action.REDIRECT and turn.number not in redirects:
            label = replace(label, action=Action.NEW_REQUIREMENT)
            reviews = [
                f"{label.tags[0].value} without a condition: {label.why}, but the reference changed nothing before it"
            ]
        if turn.number in redirects:
            fields["condition"] = _changed(_touched(turn.number, changes))
            reviews.append(
                "the condition is that a file changed which the reference had changed before; say what went wrong"
            )
            if later:
                fields["expires"] = ids[later[0]]
        if anew:
            reviews.append(_ANEW)
        named = [path for path in added.get(turn.number, ()) if _names(turn.text, path)]
        if named and label.action is Action.NEW_REQUIREMENT:
            fields["satisfied"] = PathExists(path_exists=_literal(named[0]))
            fields["insist"] = Insist(message=PHRASES.get(language, PHRASES[ENGLISH]).missing.format(path=named[0]))
            reviews.append("satisfied and insist look at a file that the message names")
        elif label.action is Action.NEW_REQUIREMENT and Tag.REQUEST in label.tags:
            reviews.append(
                "satisfied and insist are missing: what shows that it was done, and what is said if it wasn't"
            )
        found.append(
            DraftAnchor(
                Anchor(
                    id=ids[turn.number], source_turn=turn.number, action=label.action, tags=list(label.tags),
                    intents=[ids[turn.number]], message=turn.text, after=[ids[earlier[-1]]] if earlier else [],
                    required=turn.number not in redirects, **fields,  # type: ignore[arg-type]
                ),
                label,
                tuple(reviews),
            )
        )  # fmt: skip
    return found


def intents_of(anchors: Iterable[DraftAnchor]) -> list[Intent]:
    """One intent for each follow-up, in its own words."""
    return [
        Intent(
            id=one.anchor.id, source_turn=one.anchor.source_turn, kind=one.label.kind, text=_line(one.anchor.message)
        )
        for one in anchors
    ]


def changes_of(
    reference: Reference | None, repository: Repository | None
) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Paths that the reference changes, and those that it adds, by turn."""
    if reference is None or repository is None:
        return {}, {}
    changed, added = dict[int, list[str]](), dict[int, list[str]]()
    for turn, patch in reference.stages.items():
        heads = re.findall(rb"(?m)^diff --git a/(.+) b/\1$((?:\n(?!diff --git ).*)?)", patch)
        names = [(path.decode("utf-8", "replace"), b"new file" in rest) for path, rest in heads]
        changed[turn] = [path for path, _ in names]
        added[turn] = [path for path, new in names if new]
    return changed, added


def _touched(number: int, changes: Mapping[int, Sequence[str]]) -> list[str]:
    """What the turn before changed: the files that this turn changes again first."""
    before = list(changes.get(number - 1, ()))
    again = [path for path in before if path in set(changes.get(number, ()))]
    return (again or before)[:_PATHS]


def _changed(paths: Sequence[str]) -> Predicate:
    parts: list[Predicate] = [PathChanged(path_changed=_literal(path)) for path in paths]
    return parts[0] if len(parts) == 1 else Any_(any=parts)


def _names(text: str, path: str) -> bool:
    return path in text or (len(path.rpartition("/")[2]) > 3 and path.rpartition("/")[2] in text)


def _literal(path: str) -> str:
    return _SIGNS.sub(r"\\\1", path)


def _slug(text: str, number: int) -> str:
    words = [word for word in _WORDS.findall(text.casefold()) if word not in _DULL and len(word) < 20]
    return "-".join(words[:_SLUG_WORDS])[:_SLUG_CHARS].rstrip("-") or f"message-{number}"


def _unique(slug: str, used: set[str]) -> str:
    name, number = slug, 2
    while name in used:
        name, number = f"{slug}-{number}", number + 1
    used.add(name)
    return name


def _line(text: str, limit: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
