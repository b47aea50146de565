"""The base of all our models: strict about unknown keys, immutable once read."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints


class Strict(BaseModel):
    """A frozen model that refuses unknown keys, so that a typo is found and not ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
"""An identifier: lower-case words and digits joined by hyphens."""

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
"""Text that is not empty."""
