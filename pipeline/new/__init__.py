"""A new task directory: complete in its form, with a marked gap wherever a person has to decide or to write."""

from swe_together.pipeline.new._pin import PIN_FORMS, Pin, parse_pin
from swe_together.pipeline.new._scaffold import Wish, choices, in_order, write_scaffold

__all__ = ["PIN_FORMS", "Pin", "Wish", "choices", "in_order", "parse_pin", "write_scaffold"]
