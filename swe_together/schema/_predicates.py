"""Predicates of the simulated user: conditions on what can be observed, as typed YAML.

Each predicate is a mapping with exactly one key, e.g. ``{path_changed: "src/**"}``; ``all``, ``any`` and ``not``
compose them. Regular expressions are RE2's: linear time, no look-around, no back-references.
"""

from typing import Annotated, Any

import re2
from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from swe_together import defaults
from swe_together.schema._base import Slug, Strict, Text


def _compiles(pattern: str) -> str:
    if len(pattern) > defaults.PATTERN_CHARS:
        raise ValueError(f"pattern longer than {defaults.PATTERN_CHARS} characters")
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        detail = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise ValueError(f"not a regular expression that RE2 takes: {detail}") from error
    return pattern


Pattern = Annotated[str, AfterValidator(_compiles)]


class PathChanged(Strict):
    """A path of the turn's delta matches the glob (``**`` crosses folders)."""

    path_changed: Text


class PathExists(Strict):
    """A path in the tree now matches the glob."""

    path_exists: Text


class DiffMatches(Strict):
    """An added or removed line of the session's delta so far matches."""

    diff_matches: Pattern


class FileMatch(Strict):
    """One file and what its content must match."""

    path: Text
    re: Pattern


class FileMatches(Strict):
    """The file's content now matches; false where the file is absent."""

    file_matches: FileMatch


class ResponseMatches(Strict):
    """The agent's last reply matches."""

    response_matches: Pattern


class AgentAsks(Strict):
    """Whether the agent's last reply ends by asking the user something."""

    agent_asks: bool


class CommandRan(Strict):
    """A command that the agent ran in this turn matches."""

    command_ran: Pattern


class TurnRange(Strict):
    """Position in the session, counted in completed agent turns; the first is 1."""

    min: int | None = Field(default=None, ge=1)
    max: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _some_bound(self) -> "TurnRange":
        if self.min is None and self.max is None:
            raise ValueError("needs min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min} is above max {self.max}")
        return self


class Turn(Strict):
    """The session's position lies in the range."""

    turn: TurnRange


class Elapsed(Strict):
    """Seconds since the session began."""

    min: float = Field(gt=0)


class ElapsedSec(Strict):
    """At least so many seconds have passed since the session began."""

    elapsed_sec: Elapsed


class Said(Strict):
    """The anchor of this id has been said."""

    said: Slug


class Settled(Strict):
    """The anchor of this id is settled: said, satisfied or expired."""

    settled: Slug


class ProbeCommand(Strict):
    """A command that the user runs at their own desk, and what must come of it.

    ``exit`` is the wanted exit code, ``output`` a pattern for stdout and stderr together; both must hold where both
    are given, and at least one is given.
    """

    run: Text
    exit: int | None = Field(default=None, ge=0, le=255)
    output: Pattern | None = None
    timeout_sec: float = Field(default=defaults.PROBE_TIMEOUT_SEC, gt=0, le=300)

    @model_validator(mode="after")
    def _some_expectation(self) -> "ProbeCommand":
        if self.exit is None and self.output is None:
            raise ValueError("needs exit, output or both")
        return self


class Probe(Strict):
    """The user tries it: the command's outcome at the user's desk is as described."""

    probe: ProbeCommand


class All(Strict):
    """Every part holds."""

    all: list["Predicate"] = Field(min_length=1)


class Any_(Strict):
    """At least one part holds."""

    any: list["Predicate"] = Field(min_length=1)


class Not(Strict):
    """The part does not hold."""

    not_: "Predicate" = Field(alias="not")


KEYS = (
    "path_changed",
    "path_exists",
    "diff_matches",
    "file_matches",
    "response_matches",
    "agent_asks",
    "command_ran",
    "turn",
    "elapsed_sec",
    "said",
    "settled",
    "probe",
    "all",
    "any",
    "not",
)


def _key(value: Any) -> str | None:
    if isinstance(value, Strict):
        fields = type(value).model_fields
        name, field = next(iter(fields.items()))
        return field.alias or name
    if isinstance(value, dict) and len(value) == 1:
        return str(next(iter(value)))
    return None


Predicate = Annotated[
    Annotated[PathChanged, Tag("path_changed")]
    | Annotated[PathExists, Tag("path_exists")]
    | Annotated[DiffMatches, Tag("diff_matches")]
    | Annotated[FileMatches, Tag("file_matches")]
    | Annotated[ResponseMatches, Tag("response_matches")]
    | Annotated[AgentAsks, Tag("agent_asks")]
    | Annotated[CommandRan, Tag("command_ran")]
    | Annotated[Turn, Tag("turn")]
    | Annotated[ElapsedSec, Tag("elapsed_sec")]
    | Annotated[Said, Tag("said")]
    | Annotated[Settled, Tag("settled")]
    | Annotated[Probe, Tag("probe")]
    | Annotated[All, Tag("all")]
    | Annotated[Any_, Tag("any")]
    | Annotated[Not, Tag("not")],
    Discriminator(
        _key,
        custom_error_type="predicate",
        custom_error_message=f"must be a mapping with exactly one of these keys: {', '.join(KEYS)}",
    ),
]
"""Any one predicate."""

for _model in (All, Any_, Not):
    _model.model_rebuild()
