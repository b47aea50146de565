"""The tokens of a Python file, and what rules ask of them: comments, what is returned, where literals begin."""

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from typing import NamedTuple

# Said to tools, not to readers.
_DIRECTIVE = re.compile(
    r"#\s*(?:type:|noqa|pragma:|fmt:|isort:|ruff:|pylint:|mypy:|pyright:|flake8:|-\*-|vim:|coding[:=])", re.IGNORECASE
)
_WITHOUT_WEIGHT = (tokenize.COMMENT, tokenize.NL)
_ENDS = (tokenize.NEWLINE, tokenize.ENDMARKER)


class Token(NamedTuple):
    """A token without the line it stands in: Python 3.12 makes a copy of that for each of its tokens."""

    type: int
    string: str
    start: tuple[int, int]


def tokens_of(text: str) -> list[Token]:
    """All tokens; none where the text can't be read as tokens, which what parses always can."""
    try:
        return [Token(t.type, t.string, t.start) for t in tokenize.generate_tokens(io.StringIO(text).readline)]
    except (tokenize.TokenError, SyntaxError):
        return []


def comments_in(tokens: Sequence[Token]) -> list[str]:
    """Comments as they stand, from their ``#`` on; the interpreter's line and words to tools are none."""
    return [
        token.string
        for token in tokens
        if token.type == tokenize.COMMENT
        and not (token.start == (1, 0) and token.string.startswith("#!"))
        and not _DIRECTIVE.match(token.string)
    ]


def returns_in(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens of every value that is returned."""
    value: list[Token] | None = None
    for token in tokens:
        if value is not None and (token.type in _ENDS or _is(token, ";")):
            if value:
                yield value
            value = None
        elif value is not None and token.type not in _WITHOUT_WEIGHT:
            value.append(token)
        elif token.type == tokenize.NAME and token.string == "return":
            value = []


def enclosed(value: Sequence[Token]) -> bool:
    """Whether one pair of parentheses holds all of the tokens."""
    depth = 0
    for place, token in enumerate(value):
        depth += _is(token, "(", "[", "{") - _is(token, ")", "]", "}")
        if depth == 0:
            return place == len(value) - 1 and _is(value[0], "(")
    return False


def is_plain_name(value: Sequence[Token]) -> bool:
    """Whether the tokens are one name and nothing else."""
    return len(value) == 1 and value[0].type == tokenize.NAME and not iskeyword(value[0].string)


def _is(token: Token, *signs: str) -> bool:
    return token.type == tokenize.OP and token.string in signs
