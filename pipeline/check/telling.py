"""The item of the bar that holds ``session.json`` against what is said in a session."""

from swe_together.pipeline.check.model import Verdict
from swe_together.schema import Anchor, SessionMessage
from swe_together.tasks import TaskBundle


def session_agrees(bundle: TaskBundle) -> Verdict:
    """``session.json`` tells the session of instruction.md and simulator.md.

    Of a recorded session more may have been said than became anchors, and in other words.
    """
    session = bundle.session
    authored = session.provenance == "authored"
    problems = []
    if session.provenance != bundle.metadata.provenance:
        problems.append(f"provenance is {session.provenance}, but task.toml says {bundle.metadata.provenance}")
    anchors: dict[int, list[Anchor]] = {}
    for anchor in bundle.script.anchors:
        anchors.setdefault(anchor.source_turn, []).append(anchor)
    turns = [message.turn for message in session.messages]
    if turns != sorted(set(turns)):
        problems.append(f"messages must stand by turn, each once; they are {', '.join(map(str, turns))}")
    for turn in sorted({0, *anchors} - set(turns)):
        problems.append(f"the message of turn {turn} is missing: copy it from {_source(turn)}")
    for message in session.messages:
        own = anchors.get(message.turn, [])
        if message.text is not None and message.chars not in (None, len(message.text)):
            problems.append(f"turn {message.turn}: chars is {message.chars}, but the text has {len(message.text)}")
        if authored and message.turn and not own:
            problems.append(f"turn {message.turn} is no anchor of simulator.md: remove the message, or add the anchor")
        elif authored:
            problems += _differences(message, own, bundle.instruction)
    found = [f"session.json: {problem}" for problem in problems]
    return Verdict.of("session.json agrees", found, f"{len(turns)} messages, as in instruction.md and simulator.md")


def _differences(message: SessionMessage, anchors: list[Anchor], instruction: str) -> list[str]:
    said = [anchor.message for anchor in anchors] if message.turn else [instruction.strip()]
    source = _source(message.turn)
    problems = []
    if message.text is not None and _plain(message.text) not in map(_plain, said):
        problems.append(f"turn {message.turn}: the text differs from {source}: make both the same")
    elif message.text is None and message.chars is not None and message.chars not in (len(text) for text in said):
        problems.append(f"turn {message.turn}: chars is {message.chars}, but {source} has {len(said[0])}")
    tags = [{str(tag) for tag in anchor.tags} for anchor in anchors]
    if message.tags and tags and set(message.tags) not in tags:
        wanted = ", ".join(sorted(tags[0])) or "none"
        problems.append(f"turn {message.turn}: the tags are {', '.join(message.tags)}, in simulator.md {wanted}")
    return problems


def _source(turn: int) -> str:
    return "the anchor in simulator.md" if turn else "instruction.md"


def _plain(text: str) -> str:
    return " ".join(text.split())
