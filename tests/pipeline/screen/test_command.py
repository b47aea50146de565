"""``swe-together screen`` from files to a list, with the stand-in for a model, and ``build`` from that list."""

import json
from pathlib import Path

import pytest

from swe_together.cli import _reader, main
from swe_together.pipeline.fake import FakeReader
from swe_together.pipeline.screen import read_screened


def lines(session: str, *texts: str, edit: bool = True) -> str:
    """A recorded session as Claude Code writes it."""
    stamp, made = "2026-03-01T12:0{}:00Z", []
    for number, text in enumerate(texts):
        common = {"sessionId": session, "cwd": "/w/wordbox", "timestamp": stamp.format(number)}
        made.append({"type": "user", "uuid": f"u{number}", "message": {"role": "user", "content": text}, **common})
        use = {"type": "tool_use", "id": f"t{number}", "name": "Edit",
               "input": {"file_path": "/w/wordbox/a.py", "old_string": "a", "new_string": "b"}}  # fmt: skip
        content = [use] if edit else [{"type": "text", "text": "Well."}]
        made.append({"type": "assistant", "uuid": f"a{number}", "message": {"id": f"m{number}", "role": "assistant",
                     "content": content}, **common})  # fmt: skip
    return "".join(json.dumps(one) + "\n" for one in made)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> FakeReader:
    model = FakeReader()
    monkeypatch.setattr(_reader, "model_of", lambda options: model)
    return model


def test_from_files_to_a_list_and_on(tmp_path: Path, reader: FakeReader, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "a.jsonl").write_text(lines("s-a", "change it", "and this"))
    (folder / "b.jsonl").write_text(lines("s-b", "what is it?", "and that?", edit=False))
    (folder / "notes.json").write_text('{"no": "session"}')
    output, cache = tmp_path / "screened.jsonl", tmp_path / "cache"
    command = ["screen", str(folder), "-o", str(output), "--cache", str(cache), "--model", "fake"]
    assert main(command) == 0
    assert (
        "2 sessions: 1 chosen, 1 nothing delivered, 0 not reproducible, 0 not guided, 0 not screened"
        in capsys.readouterr().out
    )
    assert [(one.session, one.chosen) for one in read_screened(output)] == [("s-a", True), ("s-b", False)]
    assert main(command) == 0 and len(reader.asked) == 2
    named = list(_reader.sessions_in([output]))
    assert [session.origin.session_id for session, _, _ in named] == ["s-a"]


def test_a_list_of_collect_is_taken_too(tmp_path: Path, reader: FakeReader) -> None:
    (tmp_path / "a.jsonl").write_text(lines("s-a", "change it", "and this", "more"))
    candidates = tmp_path / "candidates.jsonl"
    assert main(["collect", str(tmp_path / "a.jsonl"), "-o", str(candidates), "--min-messages", "2", "-j", "1"]) == 0
    found = [(session.origin.session_id, number) for session, _, number in _reader.sessions_in([candidates])]
    assert found == [("s-a", 0)]
