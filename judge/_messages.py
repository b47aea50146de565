"""Follow-ups of a session as a question shows them: each with the agent's turn that it answers."""

from collections.abc import Sequence

from swe_together import defaults
from swe_together.providers import clean, cut, fenced, fit
from swe_together.schema import Dialogue, DialogueTurn


def shown(dialogue: Dialogue, turns: Sequence[DialogueTurn]) -> str:
    """The messages of these turns, fenced and within limits."""
    before = {after.turn: turn for turn, after in zip(dialogue.turns, dialogue.turns[1:], strict=False)}
    replies = [_reply(before.get(turn.turn)) for turn in turns]
    messages = [cut(clean(turn.message), defaults.MESSAGE_CHARS) for turn in turns]
    fitted = fit([*replies, *messages], defaults.TAGGER_CHARS)
    parts = []
    for turn, reply, message in zip(turns, fitted[: len(turns)], fitted[len(turns) :], strict=True):
        heard = fenced("agent", reply) if reply else "[The agent said nothing, or it was not recorded.]"
        parts.append(
            f"## Message {turn.turn}\nBefore it the agent said:\n{heard}\nThe user:\n{fenced('user', message)}"
        )
    return "\n\n".join(parts)


def _reply(turn: DialogueTurn | None) -> str:
    return cut(clean(turn.reply).strip(), defaults.TAGGER_REPLY_CHARS) if turn is not None and turn.reply else ""
