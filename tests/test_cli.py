"""The command line: fast, exit codes, no traceback for a user's mistake."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from swe_together.cli import COMMANDS, build_parser, main


def test_help_is_fast() -> None:
    best = 9.0
    for _ in range(5):
        started = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", "swe_together", "--help"], capture_output=True, check=True)
        best = min(best, time.perf_counter() - started)
    assert b"check" in done.stdout
    assert best < 0.3, f"swe-together --help took {best:.2f} s"


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_its_module_and_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        build_parser(command).parse_args([command, "--help"])
    assert stop.value.code == 0
    assert command in capsys.readouterr().out


def test_misuse_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["no-such-command"])
    assert stop.value.code == 2
    assert main(["summary", "/nonexistent"]) == 2
    assert main(["check", "/nonexistent"]) == 2
    printed = capsys.readouterr().err
    assert "Traceback" not in printed
    assert "/nonexistent" in printed


def test_interrupt_is_130(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import swe_together.cli.summary as command

    def interrupted(options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run", interrupted)
    assert main(["summary", str(tmp_path)]) == 130


def test_schemas_in_docs_agree_with_their_models() -> None:
    folder = Path(__file__).parent.parent / "docs" / "schema"
    assert main(["schema", "--check", "-o", str(folder)]) == 0
