"""What the agent must not learn from the user, and what has been shown already."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from swe_together.simulator.guards._text import is_content, is_distinctive, names, words

PROSE_WORDS = 6
"""So many words in a row that also stand in rubric or analysis are a quotation."""
CODE_TOKENS = 8
"""So many tokens in a row that also stand in a line of the reference are a quotation."""
_MIN_CONTENT = 3
_DEFINED = re.compile(r"\b(?:def|function|func|fn|sub|class|const|let|var)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)")
_DESCRIBED = re.compile(r"""\b(?:it|test|describe|suite|t\.Run|case)\s*\(\s*["'`]([^"'`\n]{4,200})["'`]""")
_SLUG = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_MIN_SLUG = 10


class Corpus:
    """Texts that were shown, to be asked whether they hold a name or a phrase."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._words: set[str] = set()
        self._texts: list[str] = []
        self._joined: list[str] = []
        self._tokens: list[str] = []
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Add a text."""
        if text.strip():
            spelled = words(text)
            self._texts.append(text)
            self._joined.append(f" {' '.join(spelled)} ")
            self._tokens.append(f" {' '.join(code_tokens(text))} ")
            self._words.update(spelled)
            self._words.update(slug(found) for found in _SLUG.findall(text))

    def has_word(self, name: str) -> bool:
        """Whether the word or name stands in a text, in whatever case."""
        return name.casefold() in self._words or slug(name) in self._words

    def has_text(self, piece: str) -> bool:
        """Whether the piece stands in a text as it is."""
        return any(piece in text for text in self._texts)

    def has_phrase(self, phrase: Sequence[str]) -> bool:
        """Whether the words stand in a text in this order, one after the other."""
        wanted = f" {' '.join(phrase)} "
        return any(wanted in text for text in self._joined)

    def has_code(self, tokens: Sequence[str]) -> bool:
        """Whether the tokens stand in a text in this order, one after the other."""
        wanted = f" {' '.join(tokens)} "
        return any(wanted in text for text in self._tokens)


@dataclass(frozen=True)
class Secrets:
    """Names and phrases of reference patches, hidden tests, rubric and analysis.

    Attributes:
        names: Names that the reference adds and its surroundings don't hold.
        test_names: Names of hidden test cases, as slugs.
        phrases: Runs of ``PROSE_WORDS`` words of rubric and analysis.
        lines: Runs of ``CODE_TOKENS`` tokens of lines that the reference adds.
        paths: Files that the reference touches: what they hold, the repository has shown.
    """

    names: frozenset[str] = frozenset()
    test_names: frozenset[str] = frozenset()
    phrases: frozenset[tuple[str, ...]] = frozenset()
    lines: frozenset[tuple[str, ...]] = frozenset()
    paths: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        *,
        patches: Iterable[str] = (),
        tests: Iterable[str] = (),
        cases: Iterable[str] = (),
        prose: Iterable[str] = (),
    ) -> "Secrets":
        """Gather them.

        Args:
            patches: The reference, as unified diffs.
            tests: Sources of the hidden tests.
            cases: Ids of test cases.
            prose: Texts of the rubric and the session analysis.
        """
        added: list[str] = []
        around: list[str] = []
        paths: dict[str, None] = {}
        for patch in patches:
            _split(patch, added, around, paths)
        known = {name for line in around for name in names(line)}
        sources = list(tests)
        defined = {name for source in sources for name in _DEFINED.findall(source) if is_distinctive(name)}
        titles = [title for source in sources for title in _DESCRIBED.findall(source)]
        context = Corpus(around)
        return cls(
            names=frozenset({name for line in added for name in names(line)} - known),
            test_names=frozenset(slug(name) for name in {*defined, *cases} if _is_slug(name)),
            phrases=frozenset(run for text in [*prose, *titles] for run in phrases(text)),
            lines=frozenset(run for line in added for run in code_runs(line) if not context.has_code(run)),
            paths=tuple(paths),
        )


NO_SECRETS = Secrets()
"""Of a session without reference, tests and rubric."""


def slug(name: str) -> str:
    """A key that is equal for ``some_case``, ``some-case`` and ``Some-Case``."""
    return name.replace("_", "-").strip("-").casefold()


def slugs(text: str) -> Iterator[str]:
    """Names with hyphens or underscores inside, as they stand in the text."""
    yield from _SLUG.findall(text)
    yield from names(text)


def phrases(text: str) -> Iterator[tuple[str, ...]]:
    """All runs of ``PROSE_WORDS`` words that are about something."""
    for run in _runs(words(text), PROSE_WORDS):
        if sum(map(is_content, run)) >= _MIN_CONTENT:
            yield run


def code_tokens(text: str) -> list[str]:
    """Names, numbers and signs."""
    return _TOKEN.findall(text)


def code_runs(text: str) -> Iterator[tuple[str, ...]]:
    """All runs of ``CODE_TOKENS`` tokens that are code: signs and several words."""
    for run in _runs(code_tokens(text), CODE_TOKENS):
        spelled = {token for token in run if token[0].isalpha() or token[0] == "_"}
        if len(spelled) >= _MIN_CONTENT and len(spelled) < CODE_TOKENS - 1:
            yield run


def _runs(items: list[str], length: int) -> Iterator[tuple[str, ...]]:
    for start in range(len(items) - length + 1):
        yield tuple(items[start : start + length])


def _split(patch: str, added: list[str], around: list[str], paths: dict[str, None]) -> None:
    for line in patch.splitlines():
        if line.startswith("+++ "):
            path = line[4:].split("\t")[0].removeprefix("b/")
            if path != "/dev/null":
                paths[path] = None
        elif line.startswith("--- "):
            continue
        elif line.startswith("+"):
            added.append(line[1:])
        else:
            around.append(line[1:])


def _is_slug(name: str) -> bool:
    return len(name) >= _MIN_SLUG and _SLUG.fullmatch(name.strip("_")) is not None
