"""``swe-together collect``: which recorded sessions can become tasks, by rules that need no model."""

from swe_together.pipeline.collect._candidates import Candidate, read_candidates
from swe_together.pipeline.collect._facts import Facts, facts_of
from swe_together.pipeline.collect._rules import Reason, Rules

__all__ = ["Candidate", "Facts", "Reason", "Rules", "facts_of", "read_candidates"]
