"""What the instruments need of a container, and how they reach into it.

Everything that comes back from a container may be hostile and huge: an instrument bounds it inside, and Harbor's
``exec`` mixes standard output and error, so an answer travels as one marked line of plain ASCII.
"""

import base64
import json
import math
import re
import shlex
import zlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, Protocol

from swe_together import defaults
from swe_together.errors import EnvironmentFault

ANSWER_MARK: Final = "swe-together-answer:"
ANSWER_BYTES: Final = 256_000_000
"""An unpacked answer larger than this is refused."""
CLEAN_PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"
"""Folders that only root can write; the image's own PATH may name some of the agent's."""
_EXCERPT_CHARS: Final = 1_000
_SHARED_IMPORT: Final = re.compile(r"^from swe_together\.adapter\._scripts\.(\w+) import ", re.MULTILINE)
_BOOTSTRAP: Final = """\
import base64, json, sys, types, zlib
modules, request = (json.loads(zlib.decompress(base64.b64decode(part))) for part in ("{modules}", "{request}"))
package = "swe_together.adapter._scripts"
for name in ("swe_together", "swe_together.adapter", package):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = []
for name, text in modules:
    module = sys.modules[package + "." + name] = types.ModuleType(package + "." + name)
    exec(compile(text, name + ".py", "exec"), module.__dict__)
sys.modules[package + ".answer"].answer(module.main(request))
"""


class ExecResult(Protocol):
    """Outcome of a command in a container; ``stderr`` may be mixed into ``stdout``."""

    @property
    def stdout(self) -> str | None:
        """What was printed."""
        ...

    @property
    def stderr(self) -> str | None:
        """What was printed as errors, where it is kept apart."""
        ...

    @property
    def return_code(self) -> int:
        """Exit code."""
        ...


class Container(Protocol):
    """The part of Harbor's ``BaseEnvironment`` that the instruments use. Paths in the container are absolute."""

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        """Run ``command`` with bash. Raises where the container can't be reached or the time is over."""
        ...

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        """Copy a file from the host into the container."""
        ...

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        """Copy a folder's content from the host into the container."""
        ...

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        """Copy a file from the container to the host."""
        ...

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Copy a folder's content from the container to the host."""
        ...


async def run_as_root(
    container: Container,
    command: str,
    what: str,
    *,
    timeout_sec: float = defaults.EXEC_TIMEOUT_SEC,
    env: dict[str, str] | None = None,
) -> ExecResult:
    """Run a command as root in ``/``, whatever it returns.

    Args:
        container: Where.
        command: Bash. Every user of the container can read it while it runs.
        what: What it does, as the subject of an error message ("packing the final state").
        timeout_sec: Seconds after which it is given up.
        env: Variables, which only root can read.

    Raises:
        EnvironmentFault: It could not be run, or not in time.
    """
    try:
        return await container.exec(command, cwd="/", env=env, timeout_sec=math.ceil(timeout_sec), user="root")
    except Exception as error:
        raise EnvironmentFault(f"In the container, {what} failed: {_excerpt(str(error) or repr(error))}") from error


async def ask(
    container: Container,
    script: str,
    request: dict[str, Any],
    what: str,
    *,
    timeout_sec: float = defaults.EXEC_TIMEOUT_SEC,
    env: dict[str, str] | None = None,
) -> Any:
    """Run one of our scripts as root inside the container, in one ``exec``, and return its answer.

    Args:
        container: Where.
        script: Name of a module in ``adapter/_scripts``; its ``main`` gets ``request`` and returns the answer.
        request: JSON. Every user of the container can read it while the script runs.
        what: As in :func:`run_as_root`.
        timeout_sec: As in :func:`run_as_root`.
        env: As in :func:`run_as_root`.

    Raises:
        EnvironmentFault: It could not be run, failed, or its answer can't be read.
    """
    return await answer_of(container, script_command(script, request), what, timeout_sec=timeout_sec, env=env)


async def answer_of(
    container: Container,
    command: str,
    what: str,
    *,
    timeout_sec: float = defaults.EXEC_TIMEOUT_SEC,
    env: dict[str, str] | None = None,
) -> Any:
    """Run a command made by :func:`script_command` and return the script's answer.

    Raises:
        EnvironmentFault: As :func:`ask`.
    """
    result = await run_as_root(container, command, what, timeout_sec=timeout_sec, env=env)
    output = result.stdout or ""
    start = output.rfind(ANSWER_MARK)
    if result.return_code != 0 or start < 0:
        hint = " Task images need /usr/bin/python3." if result.return_code in (126, 127) else ""
        said = f"{output}\n{result.stderr or ''}"
        raise EnvironmentFault(f"In the container, {what} ended with {result.return_code}: {_excerpt(said)}{hint}")
    return _unpack(output[start + len(ANSWER_MARK) :].split("\n", 1)[0], what)


def script_command(script: str, request: dict[str, Any]) -> str:
    """The bash command that runs a script with nothing that the agent could have changed."""
    source = _BOOTSTRAP.format(modules=_packed_modules(script), request=_pack(request))
    # -I and -S: neither the environment nor site-packages have a say.
    return f"exec /usr/bin/python3 -I -S -X utf8 -c {shlex.quote(source)}"


def _pack(value: object) -> str:
    return base64.b64encode(zlib.compress(json.dumps(value).encode(), 9)).decode()


@cache
def _packed_modules(script: str) -> str:
    return _pack(list(_modules(script).items()))


def _modules(script: str) -> dict[str, str]:
    """Texts of a script and of all that it imports from, by name; those that are imported come first."""
    found: dict[str, str] = {}

    def add(name: str) -> None:
        text = resources.files("swe_together.adapter._scripts").joinpath(f"{name}.py").read_text("utf-8")
        for other in _SHARED_IMPORT.findall(text):
            if other not in found:
                add(other)
        found[name] = text

    add("answer")
    add(script)
    return found


def _unpack(line: str, what: str) -> Any:
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(line, validate=True), ANSWER_BYTES)
        if not unpacker.eof:
            raise ValueError("the answer is cut off or too large")
        return json.loads(data)
    except (ValueError, zlib.error) as error:
        raise EnvironmentFault(f"In the container, {what} gave an answer that can't be read: {error}") from error


def _excerpt(text: str) -> str:
    """The end of what a command printed: that is where the reason stands."""
    text = text.strip() or "it printed nothing"
    return text if len(text) <= _EXCERPT_CHARS else f"…{text[-_EXCERPT_CHARS:]}"
