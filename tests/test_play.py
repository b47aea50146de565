"""``swe-together play`` at a real terminal, with a session that needs no container."""

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest

from swe_together.cli import main
from tests.support.harbor import ROOT, environment

TINY = ROOT / "tests" / "fixtures" / "tiny-task"
_CODES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\r")


def stand_in(folder: Path) -> Path:
    """A program that takes Harbor's arguments."""
    path = folder / "harbor"
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tests.support.harbor_of_people "$@"\n')
    path.chmod(0o755)
    return path


class Terminal:
    """A person's terminal with ``swe-together play`` in it.

    Args:
        folder: Where jobs are left.
        arguments: Of the command.
        harbor: What runs in Harbor's place; None is Harbor.
        without: A module that this Python doesn't have.
    """

    def __init__(
        self, folder: Path, *arguments: str | Path, harbor: Path | None = None, task: Path = TINY, without: str = ""
    ) -> None:
        line = ["play", str(task), "--jobs-dir", str(folder / "jobs"), *map(str, arguments)]
        swap = f"play._executable = lambda: {str(harbor)!r};" if harbor is not None else ""
        swap += f"sys.modules[{without!r}] = None;" if without else ""
        code = f"import sys; from swe_together.cli import main, play; {swap} sys.exit(main({line!r}))"
        self.shown = b""
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, env={**environment(), "TERM": "xterm", "COLUMNS": "200"},
            stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),
        )  # fmt: skip
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)

    def hang_up(self) -> int:
        """Close the window; the exit code."""
        os.close(self._master)
        return self.process.wait(60)

    def until(self, words: str, timeout: float = 30) -> str:
        """Read on until the words have appeared; hands back what was shown since the last time."""
        return self._read_until(re.escape(words), timeout)

    def prompted(self, words: str = "", timeout: float = 30) -> str:
        """Read on until the words and then the prompt have appeared: what is typed before it, nobody may read."""
        return self._read_until(f"{re.escape(words)}.*> ", timeout)

    def _read_until(self, pattern: str, timeout: float) -> str:
        start, deadline = len(self.shown), time.monotonic() + timeout
        while True:
            text = _CODES.sub(b"", self.shown[start:]).decode(errors="replace")
            if re.search(pattern, text, re.DOTALL):
                return text
            if not self._read(deadline - time.monotonic()):
                raise AssertionError(f"{pattern!r} was not shown: {self.text}")

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def end(self, timeout: float = 30) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + timeout
        while self._read(deadline - time.monotonic()):
            pass
        os.close(self._master)
        return self.process.wait(max(1.0, deadline - time.monotonic()))

    @property
    def text(self) -> str:
        """All that was shown."""
        return _CODES.sub(b"", self.shown).decode(errors="replace")

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(0.0, seconds))
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:
            data = b""
        self.shown += data
        return bool(data)


def trial(folder: Path) -> Path:
    (found,) = folder.glob("jobs/play-*/tiny-task__*")
    return found


def said(folder: Path) -> list[str | None]:
    lines = (trial(folder) / "user-agent" / "decisions.jsonl").read_text().splitlines()
    return [json.loads(line)["decision"]["message"] for line in lines]


def test_a_conversation_at_a_terminal(tmp_path: Path) -> None:
    with Terminal(tmp_path, harbor=stand_in(tmp_path)) as terminal:
        begin = terminal.prompted()
        assert "Somebody who keeps word lists in text files" in begin
        assert "split() in wordbox" in begin
        assert "turn 1: the agent worked 12 s" in begin
        assert "I heard: split() in wordbox" in begin
        assert "  $ ls" in begin
        assert "  modified wordbox.py  +3 -1" in begin
        assert "Your message (6 left):" in begin
        assert "semicolons" not in begin, "what comes next in the recorded session is not shown"
        terminal.type(".\n")
        terminal.prompted("An empty message is no message. Type one, or /leave.")
        terminal.type("/diff\n")
        terminal.prompted("+def longest(words): ...")
        terminal.type("/anchors\n")
        terminal.prompted("not shown without --show-points")
        terminal.type("/etc/hosts is\nnot [bold]read[/]\n.\n")
        shown = terminal.prompted("Your message (5 left):")
        assert "I heard: /etc/hosts is\nnot [bold]read[/]" in shown
        terminal.type("ende ü\n")
        terminal.prompted("ende ü\n")
        terminal.type("\x04")
        terminal.prompted("Your message (4 left):")
        terminal.type("/leave\n")
        assert terminal.end() == 0
        assert "reward" in terminal.text
        assert "0.500" in terminal.text
        assert f"look at: {trial(tmp_path)}" in terminal.text.replace("\n", "")
        assert "must not reach" not in terminal.text
        assert "must not reach" in next((tmp_path / "jobs").glob("play-*.log")).read_text()
        assert said(tmp_path) == ["/etc/hosts is\nnot [bold]read[/]", "ende ü", None]


def test_points_are_shown_to_whom_asks_for_them(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--show-points", harbor=stand_in(tmp_path)) as terminal:
        terminal.prompted()
        terminal.type("/anchors\n")
        terminal.prompted("- some of my files use semicolons, split there too")
        terminal.type("\x04")
        terminal.prompted("Ctrl-D again leaves")
        terminal.type("\x04")
        assert terminal.end() == 0
        assert said(tmp_path) == [None]


@pytest.mark.parametrize("how", ["key", "signal"])
def test_ctrl_c_ends_the_session_with_130(tmp_path: Path, how: str) -> None:
    with Terminal(tmp_path, harbor=stand_in(tmp_path)) as terminal:
        terminal.prompted()
        if how == "key":
            terminal.type("half a thou")
        time.sleep(0.5)  # whoever reads a line is woken by a signal once they wait for the next key
        if how == "key":
            terminal.type("\x03")
        else:
            terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 130
        assert "Traceback" not in terminal.text
        assert "ending the session and its containers" in terminal.text
        assert (trial(tmp_path) / "interrupted").is_file(), "the session was asked to end, and ended by itself"


def test_a_closed_window_ends_the_session(tmp_path: Path) -> None:
    with Terminal(tmp_path, harbor=stand_in(tmp_path)) as terminal:
        terminal.prompted()
        time.sleep(0.5)
        assert terminal.hang_up() != 0
    assert (trial(tmp_path) / "interrupted").is_file()


def test_a_file_of_answers_needs_no_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str],
                                             monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    from swe_together.cli import play

    answers = tmp_path / "answers.yaml"
    answers.write_text("- first\n- second\n")
    monkeypatch.setattr(play, "_executable", lambda: str(stand_in(tmp_path)))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    jobs = ["--jobs-dir", str(tmp_path / "jobs")]
    assert main(["play", str(TINY), "--answers", str(answers), *jobs]) == 0
    shown = capfd.readouterr().out
    assert shown.index("you: first") < shown.index("I heard: first") < shown.index("you: second")
    assert "you leave" in shown
    assert said(tmp_path) == ["first", "second", None]


def test_wrong_calls_start_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs = ["--jobs-dir", str(tmp_path / "jobs")]
    assert main(["play", str(tmp_path / "none"), *jobs]) == 2
    assert main(["play", str(TINY), "--answers", str(tmp_path / "none"), *jobs]) == 2
    assert main(["play", str(TINY), "--pk", "user=llm", *jobs]) == 2
    assert "user is not to be chosen" in capsys.readouterr().err
    assert not (tmp_path / "jobs").exists()


def test_a_harbor_that_fails_is_found_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from swe_together.cli import play

    broken = tmp_path / "harbor"
    broken.write_text("#!/bin/sh\necho 'no such agent' >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(play, "_executable", lambda: str(broken))
    assert main(["play", str(TINY), "--jobs-dir", str(tmp_path / "jobs")]) == 1
    assert "harbor ended with 3 and no trial: no such agent" in capsys.readouterr().err


def test_the_line_is_harbors_own(tmp_path: Path) -> None:
    from swe_together.cli import build_parser
    from swe_together.cli.play import harbor_line

    answers = tmp_path / "answers.json"
    told = ["-a", "claude-code", "-m", "anthropic/x", "--ak", "max_turns=3", "--pk", "turn_sec=9", "--answers", answers]
    options = build_parser("play").parse_args(["play", "tasks/x", *map(str, told)])
    assert harbor_line(options, Path("jobs/j")) == [
        "run", "-p", "tasks/x", "-a", "claude-code", "--plugin", "swe-together", "--pk", "user=human",
        "--pk", f"human_answers={answers}", "-m", "anthropic/x", "--ak", "max_turns=3", "--pk", "turn_sec=9",
        "--jobs-dir", "jobs", "--job-name", "j", "--yes", "--quiet",
    ]  # fmt: skip


def test_a_python_without_line_editing_will_do(tmp_path: Path) -> None:
    with Terminal(tmp_path, harbor=stand_in(tmp_path), without="readline") as terminal:
        terminal.prompted()
        terminal.type("/leave\n")
        assert terminal.end() == 0
