"""A trial's session as it can be shown: what was said, what the agent did. Imports no Harbor."""

from swe_together.report.conversation._steps import Call, Conversation, Limits, Step, Turn, clip, conversation_of

__all__ = ["Call", "Conversation", "Limits", "Step", "Turn", "clip", "conversation_of"]
