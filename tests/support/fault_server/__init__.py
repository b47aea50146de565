"""A chat server that goes wrong on purpose: real HTTP, OpenAI's protocol, faults at planned calls. For tests only.

It is no model and measures none: a right answer takes the first thing that the prompt allows.
"""

from .answers import decide
from .faults import Fault
from .judging import Investigator
from .server import FaultServer

__all__ = ["Fault", "FaultServer", "Investigator", "decide"]
