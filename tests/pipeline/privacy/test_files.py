"""Whole files and the command: written whole or not at all."""

import json
import random
import sqlite3
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.errors import MisuseError
from swe_together.pipeline.privacy import PrivacyError, Redactor, Salt, learn_file, redact_file
from tests.pipeline.privacy.planting import ALNUM, some
from tests.pipeline.privacy.transcripts import opencode_database
from tests.pipeline.privacy.wrapping import survivors

SALT = Salt(b"0123456789abcdef0123456789abcdef")
TOKEN = "ghp_" + some(random.Random(78), ALNUM, 36)


def redact(source: Path, target: Path) -> object:
    return redact_file(source, target, Redactor(SALT))


def test_a_broken_line_is_left_out_and_told(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text(f'{{"a": "x"}}\n{{"a": "{TOKEN}\n\n{{"b": "{TOKEN}"}}\n')
    report = redact_file(source, tmp_path / "b.jsonl", Redactor(SALT))
    assert [problem.place for problem in report.problems] == ["line 2"]
    lines = (tmp_path / "b.jsonl").read_text().splitlines()
    assert len(lines) == 2 and not survivors("\n".join(lines), [TOKEN])
    assert [finding.place for finding in report.findings] == ["line 4 /b"]


def test_lone_surrogates_and_odd_numbers_pass(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"a": "\\ud83d half", "n": NaN, "t": "' + TOKEN + '"}\n')
    redact(source, tmp_path / "b.jsonl")
    text = (tmp_path / "b.jsonl").read_text()
    assert "\\ud83d half" in text and not survivors(text, [TOKEN])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.gz", b"\x1f\x8b\x08\x00" + bytes(60)),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(60)),
        ("a.txt", b"latin \xe9\xe8 text, not UTF-8"),
        ("a.json", b'{"a": ' + b"[" * 300 + b"1" + b"]" * 300 + b"}\n"),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_is_written(tmp_path: Path, name: str, data: bytes) -> None:
    source = tmp_path / name
    source.write_bytes(data)
    target = tmp_path / "out" / name
    with pytest.raises(PrivacyError):
        redact(source, target)
    assert not list((tmp_path / "out").glob("*") if (tmp_path / "out").exists() else [])


def test_an_error_in_the_middle_leaves_the_old_copy(tmp_path: Path) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    source.write_text('{"a": "x"}\n' + json.dumps({"b": "%25" * 1}) + "\n")
    redact(source, target)
    before = target.read_bytes()
    deep = "[" * 250 + "]" * 250
    source.write_text('{"a": "x"}\n{"b": ' + deep + "}\n")
    with pytest.raises(PrivacyError, match="nested"):
        redact(source, target)
    assert target.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "b.jsonl"]


def test_a_known_secret_in_the_copy_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last look: should a rewrite ever let a learnt secret through, the file doesn't appear."""
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    source.write_text(json.dumps({"a": TOKEN}) + "\n")
    from swe_together.pipeline.privacy import _files

    monkeypatch.setattr(_files, "_dumped", lambda value, indent=False: json.dumps({"a": TOKEN}).encode())
    with pytest.raises(PrivacyError, match="line 1 still holds"):
        redact(source, target)
    assert not target.exists()


def test_a_database_is_copied_without_its_free_pages(tmp_path: Path) -> None:
    source = opencode_database(tmp_path, f"use {TOKEN}, from /home/zorvatek/x")
    assert TOKEN.encode() in source.read_bytes()
    target = tmp_path / "out" / "opencode.db"
    report = redact_file(source, target, Redactor(SALT))
    assert not survivors(target.read_bytes(), [TOKEN, "zorvatek"])
    assert any(finding.place.startswith("table part row 2 /data") for finding in report.findings)
    with sqlite3.connect(target) as database:
        assert database.execute("SELECT count(*) FROM part").fetchone() == (3,)
        assert database.execute("SELECT name FROM sqlite_master WHERE type='index' AND sql NOT NULL").fetchall() == [
            ("part_message",)
        ]
        data = json.loads(database.execute("SELECT data FROM part WHERE id='p2'").fetchone()[0])
    assert data["state"]["status"] == "completed"


def test_a_database_with_bytes_that_are_no_text_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "opencode.db"
    with sqlite3.connect(source) as database:
        database.execute("CREATE TABLE part (id TEXT, data BLOB)")
        database.execute("INSERT INTO part VALUES ('p', ?)", (b"\xff\xfe\x00\x01",))
    database.close()
    with pytest.raises(PrivacyError, match="neither text nor number"):
        redact(source, tmp_path / "out.db")
    assert not (tmp_path / "out.db").exists()


def test_a_missing_file_is_a_misuse(tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match="No such file"):
        learn_file(tmp_path / "none.jsonl", Redactor(SALT))


def test_the_command_learns_from_all_files_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("zorvatek wrote this")
    (tmp_path / "b.txt").write_text(f"in /home/zorvatek with {TOKEN}")
    (tmp_path / "c-zorvatek.txt").write_text("nothing here")
    files = [str(tmp_path / name) for name in ("b.txt", "a.txt", "c-zorvatek.txt")]
    salt, report = tmp_path / "salt", tmp_path / "report.jsonl"
    code = main(["redact", *files, "-o", str(tmp_path / "out"), "--salt", str(salt), "--report", str(report)])
    assert code == 0
    written = {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}
    assert not survivors(json.dumps(written) + report.read_text() + capsys.readouterr().out, [TOKEN, "zorvatek"])
    name = written["a.txt"].split()[0]
    assert f"c-{name}.txt" in written and written["b.txt"].startswith(f"in /home/{name} with REDACTED-")
    assert salt.stat().st_mode & 0o77 == 0
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    assert {tuple(row) for row in rows} == {("file", "place", "kind", "family", "digest", "length")}


def test_the_command_refuses_one_file_and_writes_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("fine")
    (tmp_path / "b.gz").write_bytes(b"\x1f\x8b\x08\x00" + bytes(60))
    code = main(["redact", str(tmp_path / "a.txt"), str(tmp_path / "b.gz"), "-o", str(tmp_path / "out")])
    assert code == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt"]
    assert "b.gz: refused, nothing written" in capsys.readouterr().out


def test_the_command_keeps_salt_and_data_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("fine")
    out = tmp_path / "out"
    assert main(["redact", str(tmp_path / "a.txt"), "-o", str(out), "--salt", str(out / "salt")]) == 2
    assert "a salt beside the data" in capsys.readouterr().err
    assert not out.exists()
