"""Whether a message gives away what only reference, hidden tests, rubric or analysis hold."""

from swe_together.simulator.guards._scene import Scene
from swe_together.simulator.guards._secrets import code_runs, phrases, slug, slugs
from swe_together.simulator.guards._text import names


def leak(text: str, scene: Scene) -> str | None:
    """Names and phrases that neither the user nor the agent nor the repository has shown."""
    secrets, known = scene.secrets, (scene.own, scene.shown)
    secret_names = [name for name in sorted(names(text)) if name in secrets.names]
    secret_names += [name for name in slugs(text) if slug(name) in secrets.test_names]
    for name in secret_names:
        if not any(corpus.has_word(name) for corpus in known):
            return f"It says {name!r}, a name that nobody in this session has mentioned."
    for run in phrases(text):
        if run in secrets.phrases and not any(corpus.has_phrase(run) for corpus in known):
            return f"The words {' '.join(run)!r} are not the user's own."
    for line in code_runs(text):
        if line in secrets.lines and not any(corpus.has_code(line) for corpus in known):
            return f"It holds code, {' '.join(line)!r}, that nobody in this session has shown."
    return None
