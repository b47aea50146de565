"""Findings by the guards: what the simulator's own guards say about a recorded message, task at hand or not."""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from swe_together.schema import AuditFinding, AuditKind, MessageKind
from swe_together.simulator.audit._findings import found
from swe_together.simulator.audit._input import Decided
from swe_together.simulator.audit._moments import Moment
from swe_together.simulator.guards import Corpus, Finding, Scene, examine

NEED_TASK: Final = frozenset({AuditKind.LANGUAGE, AuditKind.LEAK, AuditKind.EARLY_REVEAL})
"""Guards that can't judge without the task: language, secrets and anchors stand in it."""


def by_guards(moment: Moment, final_text: Callable[[Sequence[str]], str]) -> Iterator[AuditFinding]:
    """What the guards find in a message.

    Args:
        moment: The decision, and the user standing before it.
        final_text: What the files of the reference hold in the final state. During the session the guard looked into
            them as they were; of that nothing is left.
    """
    record, decision = moment.record, moment.record.decision
    if decision.message is None:
        return
    scene = moment.user.scene(moment.expressed, record.observation, yielded=True, also=_also(moment))
    scene = replace(scene, said=_comparable(record, scene.said, moment.user.recorded.sent_kinds))
    for finding in examine(decision.message, scene):
        if finding.guard == AuditKind.LEAK and (text := final_text(scene.secrets.paths)):
            yield _weighed(decision.message, record.turn, finding, scene, text)
        else:
            yield _of(finding, record)


@dataclass
class Overheard:
    """A session without its task: the guards judge what was said and seen, as far as they can.

    Attributes:
        said: The user's messages so far, the first one included.
    """

    said: list[str]
    anchors: Sequence[str] = ()
    kinds: list[MessageKind | None] = field(default_factory=lambda: [None])
    shown: Corpus = field(default_factory=Corpus)
    spoken: Corpus = field(default_factory=Corpus)

    def judge(self, record: Decided) -> Iterator[AuditFinding]:
        """What the guards find in a message; then it counts as said."""
        self._see(record)
        message, kind = record.decision.message, record.decision.kind
        if message is None:
            return
        authored = [option.message for option in record.call.options] if record.call is not None else []
        # A script's user has no words but those that its task's author wrote.
        authored += [message] if record.policy == "scripted" else []
        scene = Scene(
            record.observation,
            said=_comparable(record, self.said, self.kinds),
            authored=authored,
            anchors=self.anchors,
            shown=self.shown,
            spoken=self.spoken,
        )
        yield from (_of(one, record) for one in examine(message, scene) if AuditKind(one.guard) not in NEED_TASK)
        self.said.append(message)
        self.kinds.append(kind)
        self.shown.add(message)
        self.spoken.add(message)

    def _see(self, record: Decided) -> None:
        seen = record.observation
        self.spoken.add(seen.reply)
        commands = (f"{one.command}\n{one.output}" for one in seen.commands)
        for text in (seen.reply, seen.diff, *commands, *(change.path for change in seen.changes)):
            self.shown.add(text)


def _also(moment: Moment) -> list[str]:
    """Words of the task that may stand in the message beside those of the options."""
    decision, script = moment.record.decision, moment.user.recorded.script
    if decision.kind in (MessageKind.ON_QUESTION, MessageKind.FREE):
        return [script.persona.on_question]
    unoffered = [option for option in moment.expressed if option not in moment.offered]
    return [variant.message for option in unoffered for variant in option.anchor.variants]


def _comparable(record: Decided, said: Sequence[str], kinds: Sequence[MessageKind | None]) -> list[str]:
    """Earlier messages that a new one may not repeat.

    The persona's reply to questions may be given again, though not twice in a row.
    """
    if record.decision.kind is not MessageKind.ON_QUESTION:
        return list(said)
    earlier = [text for text, kind in zip(said, kinds, strict=True) if kind is not MessageKind.ON_QUESTION]
    return [*earlier, *said[-1:]]


def _weighed(message: str, turn: int, finding: Finding, scene: Scene, final: str) -> AuditFinding:
    """A leak, unless the final state holds what was told; then only a reader can tell whether it did at the time."""
    shown = copy.deepcopy(scene.shown)
    shown.add(final)
    still = [one for one in examine(message, replace(scene, shown=shown)) if one.guard == finding.guard]
    if still:
        return found(AuditKind.LEAK, turn, message, still[0].detail)
    detail = f"{finding.detail} The repository holds it in the end; whether it did then isn't recorded."
    return found(AuditKind.LEAK, turn, message, detail, minor=True)


def _of(finding: Finding, record: Decided) -> AuditFinding:
    return found(AuditKind(finding.guard), record.turn, record.decision.message or "", finding.detail)
