"""The runner of a task's cases. Root runs it in the fresh container; candidate code never enters this process.

A task's ``tests/cases.py`` declares cases with ``@case``. A case asks ``run`` to execute a driver as the candidate's
user in another process and judges what came back. Reports belong to root and are written last, when no process of
that user is left. Every task holds an identical copy of this file (``swe-together fmt`` keeps it so); it needs
nothing but the standard library.
"""

import contextlib
import json
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

LOGS = Path("/logs/verifier")
MARKER = Path("/var/lib/swe-together/session.json")
OUTPUT_LIMIT = 4_000_000
MESSAGE_LIMIT = 2_000


@dataclass(frozen=True)
class Result:
    """What a command of the candidate's user did. ``code`` is None when it was cut off.

    ``nonce`` precedes a driver's own result, so that code which prints something and leaves early earns nothing.
    """

    stdout: str
    stderr: str
    code: int | None
    seconds: float
    nonce: str = ""

    @property
    def timed_out(self) -> bool:
        """Whether the deadline ended it."""
        return self.code is None

    def json(self) -> Any:
        """The value that the driver handed to ``emit``; fails the case where there is none."""
        assert self.code == 0, f"driver ended with {self.code}: {self.stderr[-800:] or self.stdout[-800:]}"
        lines = [line for line in self.stdout.split("\n") if line.startswith(self.nonce)]
        assert self.nonce and len(lines) == 1, (
            f"driver printed no result: {self.stdout[-400:]!r} {self.stderr[-400:]!r}"
        )
        try:
            return json.loads(lines[0].removeprefix(self.nonce))
        except ValueError:
            raise AssertionError(f"driver printed no JSON: {lines[0][:400]!r}") from None


type Check = Callable[["Runner"], None]


@dataclass(frozen=True)
class _Case:
    id: str
    turn: int
    kind: str
    weight: float
    check: Check


_CASES: list[_Case] = []


def case(turn: int, kind: str = "f2p", weight: float = 1.0) -> Callable[[Check], Check]:
    """Declare a case. ``turn``: the user message that asks for it; ``kind``: ``f2p`` or ``p2p``."""
    assert kind in ("f2p", "p2p"), kind

    def register(check: Check) -> Check:
        identifier = check.__name__.strip("_").replace("_", "-")
        assert identifier not in {known.id for known in _CASES}, f"two cases are called {identifier}"
        _CASES.append(_Case(identifier, turn, kind, weight, check))
        return check

    return register


def equal(found: object, wanted: object, what: str = "value") -> None:
    """Fail the case unless both are equal and of the same JSON type; 25 and 25.0 are the same number."""
    assert _canonical(found) == _canonical(wanted), f"{what}: wanted {wanted!r}, found {found!r}"


def _canonical(value: object) -> str:
    plain = json.loads(json.dumps(value), parse_float=lambda text: int(n) if (n := float(text)).is_integer() else n)
    return json.dumps(plain, sort_keys=True)


class Runner:
    """Runs drivers as the candidate's user: the owner of the first working tree.

    Args:
        tree: The working tree that drivers import from.
    """

    def __init__(self, tree: str) -> None:
        self.tree = tree
        owner = pwd.getpwnam(os.environ.get("CANDIDATE_USER", "agent"))
        self.uid, self.gid, self.user = owner.pw_uid, owner.pw_gid, owner.pw_name
        assert self.uid != 0, "candidate code must not run as root"

    def command(
        self,
        argv: Sequence[str],
        *,
        stdin: str = "",
        timeout: float = 30.0,
        env: dict[str, str] | None = None,
        cwd: str | None = None,
        files: dict[str, str] | None = None,
    ) -> Result:
        """Run ``argv`` in a scratch folder that holds ``files``; everything it started is dead when this returns."""
        scratch = Path(tempfile.mkdtemp(prefix="case-", dir="/tmp"))
        scratch.chmod(0o711)
        work, home = scratch / "work", scratch / "home"
        for folder in (work, home):
            folder.mkdir()
            os.chown(folder, self.uid, self.gid)
        for name, text in (files or {}).items():
            path = work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            for made in (path, *path.relative_to(work).parents):
                os.chown(work / made, self.uid, self.gid)
        variables = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(home),
            "USER": self.user,
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            **(env or {}),
        }
        started = time.monotonic()
        try:
            process = subprocess.Popen(
                list(argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd or work,
                env=variables,
                user=self.uid,
                group=self.gid,
                extra_groups=[],
                umask=0o022,
                start_new_session=True,
            )
            out, err, timed_out = _collect(process, stdin.encode(), timeout, self.kill)
            return Result(
                out.decode("utf-8", "replace"),
                err.decode("utf-8", "replace"),
                None if timed_out else process.returncode,
                time.monotonic() - started,
            )
        finally:
            self.kill()
            shutil.rmtree(scratch, ignore_errors=True)

    def python(self, code: str, *, path: Sequence[str] = (), data: object = None, timeout: float = 30.0) -> Any:
        """Run Python that calls ``emit(value)`` once; returns the value. ``data`` is there as ``data``.

        The tree (or ``path``) is put on the import path after the driver's own imports, and neither the driver's
        folder nor the user's own is on it, so that planted files don't shadow anything.
        """
        return self.python_result(code, path=path, data=data, timeout=timeout).json()

    def python_result(
        self, code: str, *, path: Sequence[str] = (), data: object = None, timeout: float = 30.0
    ) -> Result:
        """As :meth:`python`, but returns the whole result, for drivers that are meant to fail."""
        prelude = (
            "import json, sys\n"
            "nonce, data = json.loads(sys.stdin.read())\n"
            f"sys.path[:0] = {list(path) or [self.tree]!r}\n"
            "def emit(value, _nonce=nonce, _dumps=json.dumps, _out=sys.stdout):\n"
            "    _out.write('\\n' + _nonce + _dumps(value) + '\\n'); _out.flush()\n"
            "del nonce\n"
        )
        # Not -I: it would leave out PYTHONHASHSEED too, and sets would have another order in every run.
        return self._driver(["/usr/bin/python3", "-P", "-s", "-B", "driver.py"], prelude + code, data, timeout)

    def node(self, code: str, *, data: object = None, timeout: float = 30.0) -> Any:
        """Run an ES module that calls ``emit(value)`` once; ``data``, ``require`` and ``tree`` are there."""
        return self.node_result(code, data=data, timeout=timeout).json()

    def node_result(self, code: str, *, data: object = None, timeout: float = 30.0) -> Result:
        """As :meth:`node`, but returns the whole result."""
        prelude = (
            "import { readFileSync, writeSync } from 'node:fs';\n"
            "import { createRequire } from 'node:module';\n"
            f"const tree = {json.dumps(self.tree)};\n"
            "const require = createRequire(tree + '/');\n"
            "const { data, emit } = ((s, w, [nonce, data]) => ({ data, emit(v) {\n"
            "  w(1, '\\n' + nonce + s(v === undefined ? null : v) + '\\n'); } })\n"
            ")(JSON.stringify, writeSync, JSON.parse(readFileSync(0, 'utf8')));\n"
        )
        return self._driver(["/usr/bin/node", "driver.mjs"], prelude + code, data, timeout)

    def _driver(self, argv: list[str], text: str, data: object, timeout: float) -> Result:
        nonce = secrets.token_hex(8)
        done = self.command(argv, stdin=json.dumps([nonce, data]), timeout=timeout, files={argv[-1]: text})
        return replace(done, nonce=nonce)

    def kill(self) -> None:
        """End every process of the candidate's user, including those that re-fork while dying."""
        deadline = time.monotonic() + 10
        while pids := self._pids():
            assert time.monotonic() < deadline, f"processes of {self.user} survive: {sorted(pids)[:5]}"
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for pid in pids if number == signal.SIGSTOP else self._pids():
                    try:
                        os.kill(pid, number)
                    except ProcessLookupError:
                        continue
            time.sleep(0.01)

    def _pids(self) -> set[int]:
        found = set()
        for entry in os.scandir("/proc"):
            if not entry.name.isdigit():
                continue
            try:
                status = Path(f"/proc/{entry.name}/status").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
            if not fields["State"].startswith(("Z", "X")) and str(self.uid) in fields["Uid"].split():
                found.add(int(entry.name))
        return found


def _collect(
    process: subprocess.Popen[bytes], stdin: bytes, timeout: float, kill: Callable[[], None]
) -> tuple[bytes, bytes, bool]:
    """Feed and drain a process within the deadline, keeping at most ``OUTPUT_LIMIT`` bytes of each stream."""
    kept: dict[str, bytearray] = {"out": bytearray(), "err": bytearray()}

    def drain(stream: BinaryIO, name: str) -> None:
        while block := stream.read(65536):
            kept[name] += block[: max(0, OUTPUT_LIMIT - len(kept[name]))]

    def feed(stream: BinaryIO) -> None:
        try:
            stream.write(stdin)
            stream.close()
        except OSError:
            return  # it left without reading its input: its own affair

    assert process.stdin and process.stdout and process.stderr
    threads = [
        threading.Thread(target=drain, args=(process.stdout, "out"), daemon=True),
        threading.Thread(target=drain, args=(process.stderr, "err"), daemon=True),
        threading.Thread(target=feed, args=(process.stdin,), daemon=True),
    ]
    for thread in threads:
        thread.start()
    timed_out = True
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout)
        timed_out = False
    kill()
    process.wait(10)
    for thread in threads:
        thread.join(10)
    return bytes(kept["out"]), bytes(kept["err"]), timed_out


def _play(declared: _Case, runner: Runner) -> dict[str, Any]:
    started = time.monotonic()
    message = ""
    try:
        declared.check(runner)
    except AssertionError as failure:
        message = str(failure) or "assertion failed"
    except Exception:  # noqa: BLE001 - a value of an unexpected shape fails the case, and the case alone
        message = traceback.format_exc(limit=-2)
    return {
        "id": declared.id,
        "kind": declared.kind,
        "turn": declared.turn,
        "weight": declared.weight,
        "passed": not message,
        "seconds": round(time.monotonic() - started, 3),
        "message": message[:MESSAGE_LIMIT],
    }


def reward(cases: Sequence[dict[str, Any]]) -> float:
    """Share of passed fail-to-pass weight; 0 if any pass-to-pass case fails."""
    if any(c["kind"] == "p2p" and not c["passed"] for c in cases):
        return 0.0
    asked = [c for c in cases if c["kind"] == "f2p"]
    return float(sum(c["weight"] for c in asked if c["passed"]) / sum(c["weight"] for c in asked))


def _write(path: Path, value: object) -> None:
    # The folder may have been open to everybody: a fresh name, never following what lies there.
    temporary = path.with_name(f".{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(temporary, flags, 0o644), "w") as file:
        json.dump(value, file, indent=1)
    temporary.replace(path)


def main() -> int:
    """Run all cases and write the reports. Exit 0 whatever passed; 3 where nothing could be judged."""
    os.umask(0o022)
    LOGS.mkdir(parents=True, exist_ok=True)
    os.chown(LOGS, 0, 0)
    LOGS.chmod(0o755)
    for private in (Path(__file__).parent, MARKER.parent):
        private.chmod(0o700)
    marker = json.loads(MARKER.read_text()) if MARKER.exists() else None
    report: dict[str, Any] = {"format": 1, "status": "ok", "error": None, "interactive": int(marker is not None)}
    if marker is not None and not marker["valid"]:
        report |= {"status": "error", "error": marker["end"], "tests": None, "cases": []}
        _write(LOGS / "reward-details.json", report)
        print(f"no reward: the session ended with {marker['end']}", file=sys.stderr)
        return 3
    __import__("cases")  # declares them

    runner = Runner(os.environ.get("TREE", "/workspace"))
    played = [_play(declared, runner) for declared in _CASES]
    runner.kill()
    tests = reward(played)
    report |= {"tests": tests, "cases": played}
    _write(LOGS / "reward-details.json", report)
    _write(LOGS / "reward.json", {"reward": tests, "tests": tests, "interactive": report["interactive"]})
    for c in played:
        first = (c["message"].splitlines() or [""])[0]
        print(f"{'pass' if c['passed'] else 'FAIL'} {c['kind']} turn {c['turn']} {c['id']} {first}")
    print(f"tests {tests:.4f}")
    return 0


if __name__ == "__main__":
    sys.modules["harness"] = sys.modules["__main__"]
    sys.path[:0] = [str(Path(__file__).parent)]
    raise SystemExit(main())
