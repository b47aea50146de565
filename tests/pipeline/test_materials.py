"""Files that others rely on: what the image copies, the reference's patches and scripts, the written dialogues."""

from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.pipeline.check.materials import context_is_whole, golden_is_there, stages_fit
from swe_together.tasks import load_task
from tests.support.printed import squeezed

THERE = [
    "COPY wordbox.py .",
    "copy --chown=agent:agent *.py /workspace/",
    "COPY --from=source /src/nothing /workspace",
    "COPY . /all",
    'COPY ["wordbox.py", "/workspace/"]',
    "COPY more \\\n  wordbox.py /all/",
    "ADD https://host/x.tgz /x.tgz",
    "COPY $NAME /x",
    "COPY <<END /x",
    "# COPY gone.py .",
    "RUN echo COPY gone.py .",
]
MISSING = [
    "COPY gone.py .",
    "ADD --chown=agent:agent gone.py /x",
    "COPY wordbox.py gone.py /all/",
    "COPY more \\\n  gone.py /all/",
    'COPY ["gone.py", "/x"]',
    "COPY gone.p? /all/",
]


def with_line(task: Path, line: str) -> Path:
    (task / "environment" / "more").mkdir()
    file = task / "environment" / "Dockerfile"
    file.write_text(f"{file.read_text()}{line}\n")
    return task


@pytest.mark.parametrize("line", THERE)
def test_what_the_image_copies_is_there(task: Path, line: str) -> None:
    verdict = context_is_whole(load_task(with_line(task, line)))
    assert verdict.passed, verdict.detail


@pytest.mark.parametrize("line", MISSING)
def test_a_missing_file_that_the_image_copies_is_named(task: Path, line: str) -> None:
    verdict = context_is_whole(load_task(with_line(task, line)))
    name = "gone.p?" if "?" in line else "gone.py"
    assert not verdict.passed
    assert verdict.detail.startswith(f"environment/{name} is missing, which environment/Dockerfile copies")


@pytest.mark.parametrize("name", ["turn-1.patch", "wrong-no-semicolons.patch", "cheat-forged-report.sh", "solve.sh"])
def test_line_ends_of_windows_are_named(task: Path, name: str) -> None:
    assert stages_fit(load_task(task)).passed
    file = task / "solution" / name
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    verdict = stages_fit(load_task(task))
    assert not verdict.passed
    assert verdict.detail == f"solution/{name} has line ends of Windows (CRLF): save it with those of Unix (LF)"


def test_a_patch_may_change_a_file_with_line_ends_of_windows(task: Path) -> None:
    (task / "solution" / "turn-1.patch").write_bytes(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\r\n+new\r\n")
    assert stages_fit(load_task(task)).passed


def test_a_turn_that_asks_for_work_has_a_patch(task: Path) -> None:
    (task / "solution" / "turn-2.patch").unlink()
    verdict = stages_fit(load_task(task))
    assert not verdict.passed
    assert "solution/turn-2.patch is missing, but turn 2 asks for work" in verdict.detail


def test_a_question_has_no_patch(task: Path) -> None:
    file = task / "simulator.md"
    before, after = file.read_text().split("  - id: longest\n")
    file.write_text(f"{before}  - id: longest\n{after.replace('new_requirement', 'question')}")
    verdict = stages_fit(load_task(task))
    assert not verdict.passed
    assert "solution/turn-2.patch does work, but turn 2 only asks: remove it" in verdict.detail
    (task / "solution" / "turn-2.patch").unlink()
    assert stages_fit(load_task(task)).passed


def test_dialogues_come_last_but_a_contribution_has_them(task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (task / "solution" / "golden.json").unlink()
    bundle = load_task(task)
    assert golden_is_there(bundle, needed=False).passed
    assert not golden_is_there(bundle, needed=True).passed
    assert main(["check", "--static", str(task)]) == 0
    assert squeezed("run swe-together check --update-golden") in squeezed(capsys.readouterr().out)
