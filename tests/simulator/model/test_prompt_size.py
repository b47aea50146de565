"""The bench of prompt sizes, on a made-up recording: what it counts, and that it can fail."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bench.prompt_size import main, observe, read_transcript


def user(content: Any, **extra: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"content": content}, **extra}


def assistant(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"type": "assistant", "message": {"content": list(blocks)}}


RAN = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "make test"}}
EDIT = {"file_path": "/w/a.py", "old_string": "a", "new_string": "b\nc"}
RECORDS = [
    user("fix the parser<system-reminder>be nice</system-reminder>"),
    user("injected", isMeta=True),
    user("<local-command-stdout>x</local-command-stdout>"),
    assistant({"type": "text", "text": "Looking."}, RAN),
    user([{"type": "tool_result", "tool_use_id": "1", "content": "1 failed", "is_error": True}]),
    assistant({"type": "tool_use", "id": "2", "name": "Edit", "input": EDIT}),
    assistant({"type": "text", "text": "Done. Shall I go on?"}),
    user("[Request interrupted by user]"),
    user("and the docs too"),
    assistant({"type": "text", "text": "Done."}),
]


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    (folder / "one.jsonl").write_text("\n".join(map(json.dumps, RECORDS)) + "\n")
    return folder


def release(folder: Path, total: int, turns: int = 2) -> Path:
    told = {"file": "one.jsonl", "user_turns": turns, "release_prompt_chars_total": total}
    file = folder.parent / "release.json"
    file.write_text(json.dumps({"sessions": [told | {"release_prompt_chars_last_call": total // 2}] * 2}))
    return file


def test_only_what_a_person_typed_is_a_turn(recording: Path) -> None:
    first, second = read_transcript(recording / "one.jsonl")
    assert (first.message, second.message) == ("fix the parser", "and the docs too")
    seen = observe(first, 1)
    assert (seen.reply, seen.agent_asks) == ("Done. Shall I go on?", True)
    assert [(one.command, one.output, one.exit) for one in seen.commands] == [("make test", "1 failed", 1)]
    assert [(one.path, one.added, one.removed) for one in seen.changes] == [("w/a.py", 2, 1)]
    assert seen.diff == "diff --git a/w/a.py b/w/a.py\n@@ -1,1 +1,2 @@\n-a\n+b\n+c"


def test_the_ratio_decides(recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bench.prompt_size.MANY_TURNS", 2)
    output = tmp_path / "prompts.json"
    arguments = [str(recording), "--output", str(output), "--release"]
    assert main([*arguments, str(release(recording, 100_000))]) == 0
    report = json.loads(output.read_text())
    rows = report["llm"]["rows"]
    assert rows[0]["session_ratio"] == round(sum(rows[0]["chars"]) / 100_000, 4)
    assert rows[0]["last_call_ratio"] == round(rows[0]["chars"][-1] / 50_000, 4)
    assert main([*arguments, str(release(recording, 10_000))]) == 1
    with pytest.raises(SystemExit, match="2 user turns were read, the file says 3"):
        main([*arguments, str(release(recording, 10_000, turns=3))])
