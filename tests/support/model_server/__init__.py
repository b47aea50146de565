"""A fake model server: deterministic, scripted, for tests. It is no model and measures none.

It speaks OpenAI chat completions, OpenAI responses, Anthropic messages and Gemini generateContent, streamed or not, so
that real agent command lines run whole sessions against it.
"""

from .ledger import Call, Ledger, Usage, total
from .script import Fault, SessionScript, Shell, Turn
from .server import FakeModelServer

__all__ = ["Call", "FakeModelServer", "Fault", "Ledger", "SessionScript", "Shell", "Turn", "Usage", "total"]
