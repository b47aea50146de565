"""What user, judge and tagger share in talking to a model: the client, its faults, strict reading, fenced text.

Depends on schema, errors and defaults alone.
"""

from swe_together.defaults import CALL_SEC, MAX_FAULTS, MIN_CALL_SEC, OUTPUT_TOKENS
from swe_together.providers._client import Body, Provider, load_client
from swe_together.providers._completions import Completion, Structure, ToolCall, total
from swe_together.providers._reading import (
    Form,
    Refused,
    object_in,
    read_form,
    read_object,
    refuse_unfinished,
    strip_reasoning,
)
from swe_together.providers._settings import ProviderSettings, Role, key_of
from swe_together.providers._text import clean, cut, cut_line, fenced, fit

__all__ = [
    "CALL_SEC",
    "MAX_FAULTS",
    "MIN_CALL_SEC",
    "OUTPUT_TOKENS",
    "Body",
    "Completion",
    "Form",
    "Provider",
    "ProviderSettings",
    "Refused",
    "Role",
    "Structure",
    "ToolCall",
    "clean",
    "cut",
    "cut_line",
    "fenced",
    "fit",
    "key_of",
    "load_client",
    "object_in",
    "read_form",
    "read_object",
    "refuse_unfinished",
    "strip_reasoning",
    "total",
]
