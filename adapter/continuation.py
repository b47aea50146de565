"""How a later message reaches an agent that can't resume its own conversation."""

from collections.abc import Sequence


def restate(exchanges: Sequence[tuple[str, str]], message: str) -> str:
    """An honest restatement of the conversation so far, with the new message at its end.

    Args:
        exchanges: Per earlier turn the user's message and the agent's reply.
        message: The new message.
    """
    parts = [
        "This continues a conversation about the repository in the current directory. You do not remember it, so it "
        "is repeated here. The working tree already holds what you did in it."
    ]
    for number, (said, reply) in enumerate(exchanges, 1):
        parts.append(f"<user-message number={number}>\n{said}\n</user-message>")
        parts.append(f"<your-reply number={number}>\n{reply or '(no reply was kept)'}\n</your-reply>")
    parts.append(f"The user now says:\n\n{message}")
    return "\n\n".join(parts)
