"""The canary stands where a corpus would hold it and no container does; nobody who is sent a message reads it."""

import json
from pathlib import Path

import pytest
from harbor.models.task.task import strip_canary

from swe_together.canary import CANARY, FILES, with_canary, without_canary
from swe_together.pipeline.fmt import format_task
from swe_together.tasks import load_task
from tests.support.tasks import make_task

LINE = f"<!-- {CANARY} -->\n"


@pytest.mark.parametrize(
    "text",
    [
        "a message\n",
        f"{LINE}\na message\n",
        f"{LINE}\n\n\na message\n\nand more\n",
        f"{LINE}# another's canary GUID 1\n\na message\n",
        "\n\na message that begins late\n",
        f"a message\n{LINE}",
        "# a heading\n\ntext\n",
        LINE,
        "",
    ],
)
def test_a_message_is_read_as_harbor_reads_it(text: str) -> None:
    assert without_canary(text) == strip_canary(text)


@pytest.mark.parametrize("text", ['{"format": 1, "a": []}', '{\n  "format": 1\n}\n', '\n{\n    "format": 1\n}'])
def test_json_gets_a_field_and_keeps_its_form(text: str) -> None:
    written = with_canary("intents.json", text)
    assert json.loads(written) == {"canary": CANARY, **json.loads(text)}
    assert len(written.splitlines()) - len(text.lstrip().splitlines()) == ("\n" in text.strip())
    assert with_canary("intents.json", written) == written


def test_a_formatted_task_holds_it_in_every_file_that_no_container_sees(tmp_path: Path) -> None:
    task = make_task(tmp_path / "made-up")
    (task / "README.md").write_text("# Made up\n")
    before = load_task(task)
    assert {name for name in format_task(task) if not name.startswith("tests/")} == set(FILES)
    assert all(CANARY in (task / name).read_text() for name in FILES)
    assert format_task(task) == []
    after = load_task(task)
    assert (after.instruction, after.spec) == (before.instruction, before.spec)
    assert (after.script, after.analysis, after.metadata) == (before.script, before.analysis, before.metadata)
    assert CANARY not in after.instruction + after.spec + after.analysis


def test_what_a_container_sees_goes_without(tmp_path: Path) -> None:
    task = make_task(tmp_path / "made-up")
    format_task(task)
    seen = [
        path for name in ("environment", "tests", "solution") for path in (task / name).rglob("*") if path.is_file()
    ]
    assert seen
    assert not any(CANARY in path.read_text() for path in seen)
