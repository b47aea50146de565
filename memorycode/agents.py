"""Three scripted listeners that show what the report can tell apart. They are no coding agents and need no model.

``-a swe_together.memorycode.agents:Remembering --plugin swe-together``, and likewise ``Forgetting`` and
``NeverUpdating``. What was told in a message they look up in the task directory, for the messages heard so far alone;
the code that is asked for comes from the oracle, given the rules that the listener still knows.
"""

import json
import shlex
import tempfile
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from harbor.agents.base import BaseAgent
from harbor.agents.capabilities import AgentCapabilities
from harbor.agents.installed.base import NonZeroAgentExitCodeError
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

from swe_together import __version__, defaults
from swe_together.errors import TaskError
from swe_together.memorycode._arms import NOTES
from swe_together.memorycode.contradictions import contradictions
from swe_together.memorycode.tasks import TOLD, answers
from swe_together.tasks import TaskBundle, load_task

WRITE = """\
import json, pathlib, subprocess, sys
for answer in json.load(open(sys.argv[1], encoding="utf-8")):
    for path, text in answer["files"].items():
        file = pathlib.Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\\n")
    subprocess.run(["git", "add", "--", *answer["files"]], check=True)
    who = ["-c", "user.name=listener", "-c", "user.email=listener@localhost"]
    message = answer["message"].rstrip("\\n") + "\\n"
    subprocess.run(["git", *who, "commit", "-q", "--cleanup=verbatim", "-F", "-"], input=message.encode(), check=True)
"""


class Mention(NamedTuple):
    """A rule as it was told: in which session, and in which wording."""

    session: int
    rule: str
    variant: str


class Listener(BaseAgent):
    """Hears the sessions, and writes what is asked for as far as it knows the rules.

    In a fresh context it knows nothing but what stands in its notes.
    """

    capabilities = AgentCapabilities(atif=True, resume=True)
    label = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._heard: list[Mention] = []
        self._steps: list[dict[str, Any]] = []

    @classmethod
    def name(cls) -> str:
        """Harbor's name of the agent."""
        return f"memorycode-{cls.label}"

    def version(self) -> str:
        """That of the package."""
        return __version__

    @abstractmethod
    def known(self, heard: Sequence[Mention], session: int) -> dict[str, str]:
        """The rules that the listener still knows, each with the wording that it goes by.

        Args:
            heard: Everything that was told, in order.
            session: The last session that was heard.
        """

    async def setup(self, environment: BaseEnvironment) -> None:
        """Nothing to install."""

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """A new context: nothing is known but the notes."""
        bundle = _bundle(environment)
        self._heard = await self._read_notes(bundle, environment)
        await self._hear(instruction, bundle, environment)

    async def resume(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """The same context."""
        await self._hear(instruction, _bundle(environment), environment)

    def populate_context_post_run(self, context: AgentContext) -> None:
        """Write the trajectory of everything said so far."""
        document = {
            "schema_version": "ATIF-v1.6",
            "agent": {"name": self.name(), "version": self.version()},
            "steps": [{**step, "step_id": number} for number, step in enumerate(self._steps, 1)],
        }
        (self.logs_dir / "trajectory.json").write_text(json.dumps(document), encoding="utf-8")

    async def _hear(self, message: str, bundle: TaskBundle, environment: BaseEnvironment) -> None:
        told = _told(bundle)
        at_once = message.strip() == bundle.spec.strip()
        turn = told["turn"] if at_once else _turn(bundle, message)
        self._steps.append({"source": "user", "message": message})
        self._heard += mentions_at_once(told) if at_once else mentions_in(told, turn)
        reply = "Understood."
        if turn == told["turn"]:
            await self._work(told, environment)
            reply = "Done, each task in a commit of its own."
        elif turn is not None and bundle.metadata.continuation == "fresh":
            known = self.known(self._heard, turn + 1)
            kept = [one for one in self._heard if known.get(one.rule) == one.variant]
            await self._put(environment, NOTES, "".join(json.dumps(one) + "\n" for one in kept))
        self._steps.append({"source": "agent", "message": reply})

    async def _work(self, told: dict[str, Any], environment: BaseEnvironment) -> None:
        known = self.known(self._heard, told["size"])
        for _, other in contradictions(known):
            known.pop(other, None)
        written = answers([request["id"] for request in told["requests"]], known)
        data = [{"files": dict(one.files), "message": one.commits[-1]} for one in written]
        await self._put(environment, "/tmp/answers.json", json.dumps(data))
        await self._exec(environment, f"python3 -c {shlex.quote(WRITE)} /tmp/answers.json")

    async def _read_notes(self, bundle: TaskBundle, environment: BaseEnvironment) -> list[Mention]:
        if bundle.metadata.continuation != "fresh":
            return []
        text = await self._exec(environment, f"cat {NOTES} 2>/dev/null || true")
        return [Mention(*json.loads(line)) for line in text.splitlines() if line.startswith("[")]

    async def _put(self, environment: BaseEnvironment, path: str, text: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "upload")
            file.write_text(text, encoding="utf-8")
            file.chmod(0o644)
            await environment.upload_file(file, "/tmp/upload")
        await self._exec(environment, f"cp /tmp/upload {shlex.quote(path)}")
        await environment.exec("rm -f /tmp/upload", user="root", timeout_sec=defaults.EXEC_TIMEOUT_SEC)

    async def _exec(self, environment: BaseEnvironment, command: str) -> str:
        result = await environment.exec(command, cwd=defaults.WORKSPACE, timeout_sec=defaults.EXEC_TIMEOUT_SEC)
        if result.return_code != 0:
            raise NonZeroAgentExitCodeError(f"{command[:80]} ended with {result.return_code}: {result.stderr}")
        return result.stdout or ""


class Remembering(Listener):
    """Knows every rule as it was told last."""

    label = "remembering"

    def known(self, heard: Sequence[Mention], session: int) -> dict[str, str]:
        """All, latest wording; see :meth:`Listener.known`."""
        return {one.rule: one.variant for one in heard}


class Forgetting(Listener):
    """Knows nothing of what was told before the last session."""

    label = "forgetting"

    def known(self, heard: Sequence[Mention], session: int) -> dict[str, str]:
        """Those of the last session; see :meth:`Listener.known`."""
        return {one.rule: one.variant for one in heard if one.session == session}


class NeverUpdating(Listener):
    """Knows every rule as it was told first."""

    label = "never-updating"

    def known(self, heard: Sequence[Mention], session: int) -> dict[str, str]:
        """All, first wording; see :meth:`Listener.known`."""
        return {one.rule: one.variant for one in reversed(heard)}


LISTENERS = (Remembering, Forgetting, NeverUpdating)


def mentions_in(told: dict[str, Any], turn: int | None) -> list[Mention]:
    """What a message tells: its session in the arms with a session a message, else everything; nothing for None."""
    if turn is None:
        return []
    if told["arm"] in ("isolated", "chain"):
        return mentions_at_once(told)
    sessions = list(enumerate(told["mentions"], 1))
    if told["arm"] in ("sessions", "memory"):
        sessions = sessions[turn : turn + 1]
    return [Mention(number, rule, variant) for number, items in sessions for rule, variant in items]


def mentions_at_once(told: dict[str, Any]) -> list[Mention]:
    """What a list of all rules tells: they are as fresh as the last session."""
    return [Mention(told["size"], rule, variant) for items in told["mentions"] for rule, variant in items]


def _bundle(environment: BaseEnvironment) -> TaskBundle:
    return load_task(Path(environment.environment_dir).parent)


def _told(bundle: TaskBundle) -> dict[str, Any]:
    path = bundle.path / "tests" / TOLD
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise TaskError(path, "", None, f"can't be read: {error}", "Listeners play memorycode tasks alone.") from error
    return found


def _turn(bundle: TaskBundle, message: str) -> int | None:
    """The turn whose words the message holds; None for words of none."""
    said = [bundle.instruction, *(anchor.message for anchor in bundle.script.anchors)]
    return next((turn for turn, words in enumerate(said) if words.strip() == message.strip()), None)
