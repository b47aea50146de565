"""``[metadata.swe_together]`` of ``task.toml`` and ``session.json``."""

import hashlib
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from swe_together import defaults
from swe_together.schema._base import Strict, Text


def _absolute(path: str) -> str:
    parts = path.split("/")
    if not path.startswith("/") or path == "/" or any(part in ("", ".", "..") for part in parts[1:]):
        raise ValueError("must be an absolute path below / without . or .. and without a trailing slash")
    return path


AbsolutePath = Annotated[str, AfterValidator(_absolute)]

Language = Literal[
    "python", "javascript", "typescript", "go", "rust", "c", "cpp", "java", "ruby", "php", "perl", "shell"
]


class RegistrySource(Strict):
    """A package of a public registry, pinned by version and content."""

    registry: Literal["pypi", "npm", "debian"]
    package: Text
    version: Text
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class GitSource(Strict):
    """One commit of a public repository."""

    git: str = Field(pattern=r"^https://")
    commit: str = Field(pattern=r"^[0-9a-f]{40}$")


class ArchiveSource(Strict):
    """One commit of a repository that is nowhere public, as an archive beside the Dockerfile."""

    repository: Text = Field(description="What it is called, for reports.")
    commit: str = Field(pattern=r"^[0-9a-f]{40,64}$")
    archive: Text = Field(description="The archive's name in environment/.")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class TaskMetadata(Strict):
    """What we need to know of a task beyond Harbor's own fields."""

    format: Literal[1] = 1
    language: Language
    category: Literal["bugfix", "feature", "refactor", "performance", "security"]
    difficulty: Literal["easy", "medium", "hard"]
    provenance: Literal["authored", "recorded"]
    license: Text = Field(description="SPDX expression of the code base.")
    source: RegistrySource | GitSource | ArchiveSource
    trees: list[AbsolutePath] = Field(
        default=[defaults.WORKSPACE], min_length=1, description="Working trees whose state is the result."
    )
    lines: int | None = Field(
        default=None, ge=1, description="Lines of the trees' text files as the agent finds them; the check counts them."
    )
    exclude: list[str] = Field(
        default_factory=list, description="Paths inside the trees, relative to /, left out of the final state."
    )
    processors: list[Literal["amd64", "arm64"]] = Field(
        default=["amd64", "arm64"],
        min_length=1,
        description="Processors that the image can be built and run on, by Docker's names.",
    )
    continuation: Literal["native", "restated", "fresh"] | None = Field(
        default=None,
        description="How later messages reach the agent, where the task is about that; a run's own setting wins.",
    )
    arms: list[Literal["interactive", "full-spec", "first-message"]] = Field(
        default=["interactive", "full-spec", "first-message"],
        min_length=1,
        description="What the task can be played as. Without first-message: that message alone asks for nothing.",
    )

    @model_validator(mode="after")
    def _excludes_inside(self) -> Self:
        for path in self.exclude:
            if path.startswith("/") or ".." in path.split("/"):
                raise ValueError(f"exclude {path!r} must be relative to / and without ..")
            if not any(f"/{path}".startswith(f"{tree}/") for tree in self.trees):
                raise ValueError(f"exclude {path!r} lies in none of the trees {', '.join(self.trees)}")
        return self


class SessionMessage(Strict):
    """One user message of the session that a task comes from."""

    turn: int = Field(ge=0)
    text: str | None = Field(default=None, description="Our own words; absent where only facts carry over.")
    chars: int | None = Field(default=None, ge=0)
    tags: list[str] = Field(default_factory=list)
    sha256: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{64}$",
        description="Of the recorded words in UTF-8, after redaction; the task's own words must be others.",
    )
    record: int | None = Field(default=None, ge=0, description="Its line or number in the recording.")


def digest_of(words: str) -> str:
    """SHA-256 by which recorded words are known again, without spaces at their ends."""
    return hashlib.sha256(words.strip().encode("utf-8", "surrogatepass")).hexdigest()


class Recording(Strict):
    """Where a recorded session can be found again, as far as it is known."""

    format: Text = Field(description="What recorded it.")
    session_id: Text
    sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$", description="Of the file that holds it.")
    repository: Text | None = Field(default=None, description="Its public address.")
    commit: str | None = Field(default=None, pattern=r"^[0-9a-f]{40,64}$", description="On which it began.")


class SourceSession(Strict):
    """``session.json``: the session in normal form, and where it comes from."""

    canary: str | None = None
    format: Literal[1] = 1
    provenance: Literal["authored", "recorded"]
    origin: Text = Field(description="Who wrote it, or which recorded session, under which licence.")
    recording: Recording | None = None
    messages: list[SessionMessage] = Field(min_length=1)
