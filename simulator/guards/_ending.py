"""Whether the user walks away from an agent that awaits an answer."""

from swe_together.simulator.guards._scene import Scene


def early_end(text: str | None, scene: Scene) -> str | None:
    """Saying nothing (``text`` is None) to an agent that has yielded with a question."""
    if text is None and scene.yielded and scene.observation.agent_asks:
        return "The agent awaits an answer to its question; leaving now would end the session."
    return None
