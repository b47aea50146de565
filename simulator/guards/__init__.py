"""Guards: what a simulated user never does, decided in code. Each is a pure function of a message and its moment.

None of them decides what a message means: a message that is caught is written anew or replaced by authored words, and
that is recorded; it is never dropped.
"""

from collections.abc import Mapping
from typing import Final

from swe_together.simulator.guards._ending import early_end
from swe_together.simulator.guards._language import detect, language, named
from swe_together.simulator.guards._leak import leak
from swe_together.simulator.guards._repetition import adaptation, repetition
from swe_together.simulator.guards._reveal import early_reveal
from swe_together.simulator.guards._scene import Finding, Guard, Scene
from swe_together.simulator.guards._secrets import NO_SECRETS, Corpus, Secrets
from swe_together.simulator.guards._speech import invented_continue, meta, reasoning_leak, role_inversion

GUARDS: Final[Mapping[str, Guard]] = {
    "reasoning_leak": reasoning_leak,
    "role_inversion": role_inversion,
    "meta": meta,
    "leak": leak,
    "early_reveal": early_reveal,
    "repetition": repetition,
    "invented_continue": invented_continue,
    "language": language,
}
"""Guards on messages by name, in the order in which they are asked."""


def examine(text: str, scene: Scene) -> list[Finding]:
    """Everything that is wrong with a message, in the order of ``GUARDS``."""
    judged = ((name, guard(text, scene)) for name, guard in GUARDS.items())
    return [Finding(name, detail) for name, detail in judged if detail is not None]


__all__ = [
    "GUARDS",
    "NO_SECRETS",
    "Corpus",
    "Finding",
    "Guard",
    "Scene",
    "Secrets",
    "adaptation",
    "detect",
    "early_end",
    "examine",
    "language",
    "named",
]
