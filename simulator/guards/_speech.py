"""Guards on how a message speaks: as the assistant, with its reasoning, of the machinery, or only to push on."""

from swe_together.simulator.guards._patterns import META, PUSH, REASONING, ROLE
from swe_together.simulator.guards._scene import Scene
from swe_together.simulator.guards._secrets import slug, slugs


def role_inversion(text: str, scene: Scene) -> str | None:
    """The user speaks as the assistant: reports or offers work, thanks itself, refuses."""
    text = text.replace("’", "'")
    for pattern in ROLE:
        if (match := pattern.search(text)) and not _authored(match[0], scene):
            return f"{_shown(match[0])} is what the agent would say; the user only asks, complains and answers."
    return None


def reasoning_leak(text: str, scene: Scene) -> str | None:
    """The message holds deliberation, or parts of the answer's form."""
    text = text.replace("’", "'")
    for pattern in REASONING:
        if (match := pattern.search(text)) and not _authored(match[0], scene):
            return f"{_shown(match[0])} is about how to answer; send only the user's own words."
    return None


def meta(text: str, scene: Scene) -> str | None:
    """The user speaks of anchors, turns, its instructions or a benchmark, where the session itself doesn't."""
    text = text.replace("’", "'")
    for pattern, key in META:
        match = pattern.search(text)
        if match and not (key and _used(key, scene)) and not _authored(match[0], scene):
            return f"{_shown(match[0])} is nothing that the user knows of."
    ids = {slug(anchor): anchor for anchor in scene.anchors if "-" in anchor}
    for name in slugs(text):
        if slug(name) in ids and not scene.shown.has_word(name) and not _authored(name, scene):
            return f"{_shown(name)} is nothing that the user knows of."
    return None


def invented_continue(text: str, scene: Scene) -> str | None:
    """Nothing but "go on", to an agent that has asked nothing."""
    if scene.observation.agent_asks or PUSH.fullmatch(text.strip()) is None or _authored(text, scene):
        return None
    return f"{_shown(text)} only pushes on, and nobody asked."


def _authored(found: str, scene: Scene) -> bool:
    """Whether the task's own words hold what was found."""
    wanted = found.casefold().strip()
    return any(wanted in authored.replace("’", "'").casefold() for authored in scene.authored)


def _used(key: str, scene: Scene) -> bool:
    return scene.shown.has_word(key) or scene.shown.has_word(f"{key}s")


def _shown(found: str) -> str:
    short = " ".join(found.split())
    return repr(short if len(short) <= 60 else f"{short[:59]}…")
