"""Tags of the user's messages and User Correction. Authored words carry authored tags; free ones need a model."""

from collections.abc import Mapping, Sequence

from swe_together import defaults
from swe_together.judge._conversation import ChatModel
from swe_together.judge._tagger import ask_tags
from swe_together.schema import Dialogue, DialogueTurn, MessageKind, MessageTags, ModelQuestion, Tag, TaggedMessage


async def tag_messages(dialogue: Dialogue, tagger: ChatModel | None = None) -> MessageTags:
    """Tag every follow-up of a session.

    Args:
        dialogue: The session's dialogue.
        tagger: Tags messages without authored tags; None leaves them untagged, and User Correction unknown.

    Raises:
        TaggerError: The tagger gave no usable answer. A message without tags is never given one.
    """
    open_turns = [turn for turn in dialogue.followups if not authored(turn)]
    found: Mapping[int, tuple[list[Tag], str]] = {}
    question: ModelQuestion | None = None
    if open_turns and tagger is not None:
        found, question = await ask_tags(dialogue, open_turns, tagger)
    messages = [_tagged(turn, found) for turn in dialogue.followups]
    return numbers_of(messages, question)


def authored(turn: DialogueTurn) -> bool:
    """Whether a message has its tags from whoever wrote the task.

    Those of free words only tell what a policy was about to do.
    """
    return bool(turn.tags) and turn.kind is not MessageKind.FREE


def numbers_of(messages: Sequence[TaggedMessage], question: ModelQuestion | None = None) -> MessageTags:
    """Count corrections and nudges. User Correction is 0 without messages, and None where one has no tags."""
    known = [message.tags for message in messages if message.tags is not None]
    if len(known) < len(messages):
        return MessageTags(
            messages=list(messages), corrections=None, nudges=None, user_correction=None, question=question
        )
    corrections = sum(Tag.CORRECTION in tags for tags in known)
    nudges = sum(Tag.NUDGE in tags for tags in known)
    return MessageTags(
        messages=list(messages),
        corrections=corrections,
        nudges=nudges,
        user_correction=round(corrections + defaults.NUDGE_WEIGHT * nudges, 12),
        question=question,
    )


def _tagged(turn: DialogueTurn, found: Mapping[int, tuple[list[Tag], str]]) -> TaggedMessage:
    if authored(turn):
        return TaggedMessage(turn=turn.turn, tags=turn.tags, source="authored")
    if turn.turn in found:
        tags, reason = found[turn.turn]
        return TaggedMessage(turn=turn.turn, tags=tags, source="model", reason=reason)
    return TaggedMessage(turn=turn.turn, tags=None, source="none")
