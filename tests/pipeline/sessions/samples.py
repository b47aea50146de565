"""One small session of each format, of our own invention, with what must come of it however it is damaged."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from swe_together.pipeline.sessions import read_sessions, session_lines
from tests.pipeline.sessions import gemini_chat, opencode_store, pi_log
from tests.pipeline.sessions.claude_log import REJECTED, SAID, ClaudeLogWriter
from tests.pipeline.sessions.codex_log import CodexWriter
from tests.pipeline.sessions.gemini_chat import GeminiWriter
from tests.pipeline.sessions.opencode_store import OpencodeWriter
from tests.pipeline.sessions.pi_log import PiWriter

OUTPUT = "OUTPUT-OF-A-TOOL"
"""Stands in each tool output: it may be in none of the person's words."""

Unit = Any
"""A JSON object, or bytes in its place that are none."""
Write = Callable[[Path, Sequence[Unit]], Path]


@dataclass(frozen=True, repr=False)
class Sample:
    """A session as a row of units: lines of a file, or messages of a document or a database."""

    name: str
    module: str
    units: Sequence[Mapping[str, Any]]
    other: Sequence[Mapping[str, Any]]
    """Units of another session of the same format."""
    write: Write
    told_by: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """What the person said, each with the units that must be whole for it to be read."""
    names_its_records: bool = True
    """Records have an id or a time, so that one that is repeated can be told."""
    one_a_line: bool = True

    def __repr__(self) -> str:
        return self.name

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.name)


def lines(name: str) -> Write:
    """Write a unit a line."""

    def write(folder: Path, units: Sequence[Unit]) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(_bytes(unit) + b"\n" for unit in units))
        return path

    return write


def document(name: str, around: Callable[[list[Any]], Any]) -> Write:
    """Write one document with the units in it. What is no JSON stands in it as a text."""

    def write(folder: Path, units: Sequence[Unit]) -> Path:
        path = folder / name
        inside = [unit.decode("utf-8", "replace") if isinstance(unit, bytes) else unit for unit in units]
        path.write_text(json.dumps(around(inside), indent=1), "utf-8")
        return path

    return write


def all_samples() -> list[Sample]:
    """One or more for each format."""
    return [
        _claude(),
        _entire(),
        _codex(),
        _codex_bare(),
        _pi(),
        _pi_linear(),
        _opencode_export(),
        _opencode_database(),
        _gemini(),
        _gemini_document(),
        _atif(),
        _dataclaw(),
        _release(),
        _store(),
    ]


def _bytes(unit: Unit) -> bytes:
    return unit if isinstance(unit, bytes) else json.dumps(unit, separators=(",", ":"), ensure_ascii=False).encode()


def _places(units: Sequence[Any], *texts: str, mark: str = "") -> dict[str, frozenset[int]]:
    """For each text the one unit that has it, and ``mark``."""
    found = {}
    for text in texts:
        places = [place for place, unit in enumerate(units) if text in str(unit) and mark in str(unit)]
        assert len(places) == 1, (text, places)
        found[text] = frozenset(places)
    return found


def _claude_units(session: str, word: str) -> list[dict[str, Any]]:
    log = ClaudeLogWriter(session)
    log.user(f"{word} one")
    log.says("I'll look.")
    log.calls("Read", f"{session}-t1", file_path="a.py")
    log.result(f"{session}-t1", OUTPUT, {"type": "text", "file": {"filePath": "a.py", "content": OUTPUT}})
    log.calls("Bash", f"{session}-t2", "msg_2", command="make")
    log.result(f"{session}-t2", f"{REJECTED}{SAID}{word} two", "Error: rejected", error=True)
    log.user("[Request interrupted by user for tool use]")
    log.user(f"{word} three")
    log.calls("Bash", f"{session}-t3", "msg_3", command="make")
    log.result(f"{session}-t3", OUTPUT, {"stdout": OUTPUT, "stderr": OUTPUT, "interrupted": False})
    log.user("This session is being continued from a previous conversation", isCompactSummary=True)
    log.says("Done.", "msg_4")
    log.user(f"{word} four")
    return log.records


def _claude() -> Sample:
    units = _claude_units("5e55", "tea")
    told = _places(units, "tea one", "tea two", "tea three", "tea four")
    return Sample("claude-code", "claude_code", units, _claude_units("5e56", "milk"), lines("5e55.jsonl"), told)


def _entire() -> Sample:
    inner = _claude()

    def write(folder: Path, units: Sequence[Unit]) -> Path:
        path = lines("0/full.jsonl")(folder, units)
        metadata = {"session_id": "5e55", "agent": "Claude Code", "checkpoint_id": "a1b2c3d4e5f6", "branch": "main"}
        (folder / "metadata.json").write_text(json.dumps(metadata))
        (path.parent / "metadata.json").write_text(json.dumps(metadata))
        return path

    return Sample("entire", "entire", inner.units, inner.other, write, inner.told_by)


def _codex_units(session: str, word: str) -> list[dict[str, Any]]:
    log = CodexWriter(session)
    log.got("<environment_context>\n<cwd>/home/ada</cwd>\n</environment_context>")
    log.turn(f"{word} one")
    log.calls("shell", f"{session}-c1", command=["bash", "-lc", "make"])
    log.ran(f"{session}-c1", OUTPUT, 1)
    log.tokens(10, 2)
    log.user(f"{word} two")
    log.patches(f"{session}-c2")
    log.result(f"{session}-c2", OUTPUT, custom=True)
    log.says("Done.")
    log.ends()
    log.tokens(30, 5)
    log.turn(f"{word} three")
    log.calls("request_user_input", f"{session}-c3", questions=[])
    log.result(f"{session}-c3", json.dumps({"answers": {"q": {"answers": [f"{word} four"]}}}))
    log.event("turn_aborted", reason="interrupted")
    return log.records


def _codex() -> Sample:
    units = _codex_units("0c0d", "tea")
    told = _places(units, "tea one", "tea two", "tea three", mark="user_message") | _answer(units)
    return Sample("codex", "codex", units, _codex_units("0c0e", "milk"), lines("rollout-1.jsonl"), told)


def _answer(units: Sequence[Any]) -> dict[str, frozenset[int]]:
    """An answer is told from another output by the call that it belongs to."""
    [asked] = _places(units, "request_user_input").values()
    return {"tea four": _places(units, "tea four")["tea four"] | asked}


def _codex_bare() -> Sample:
    def units(word: str) -> list[dict[str, Any]]:
        wrapped = [record["payload"] for record in _codex_units(word, word) if record["type"] == "response_item"]
        return [{"id": word, "timestamp": "2026-03-01T09:00:00Z", "instructions": None}, *wrapped]

    told = _places(units("tea"), "tea one", "tea two", "tea three") | _answer(units("tea"))
    write = lines("rollout-1.jsonl")
    return Sample("codex-bare", "codex", units("tea"), units("milk"), write, told, names_its_records=False)


def _pi_writer(session: str, word: str, version: int | None) -> PiWriter:
    log = PiWriter(session, version)
    log.user(f"{word} one")
    log.says("I'll look.", pi_log.call(f"{session}-t1", "bash", command="make"), stop="toolUse")
    log.result(f"{session}-t1", "bash", OUTPUT, error=True)
    log.says("", pi_log.call(f"{session}-t2", "edit", path="a.py"), stop="toolUse")
    log.result(f"{session}-t2", "edit", "fine", details={"diff": OUTPUT})
    log.user(f"{word} two")
    log.message("bashExecution", None, command="ls", output=OUTPUT)
    log.message("assistant", [], model="claude-x", stopReason="aborted")
    log.user(f"{word} three")
    return log


def _pi() -> Sample:
    units, other = _pi_writer("0314", "tea", 3).records, _pi_writer("0315", "milk", 3).records
    for unit in other:
        for key in ("id", "parentId"):
            if isinstance(unit.get(key), str):
                unit[key] += "b"
    told = _places(units, "tea one", "tea two", "tea three")
    return Sample("pi", "pi", units, other, lines("0314.jsonl"), told)


def _pi_linear() -> Sample:
    units, other = _pi_writer("0314", "tea", None).records, _pi_writer("0315", "milk", None).records
    told = _places(units, "tea one", "tea two", "tea three")
    return Sample("pi-linear", "pi", units, other, lines("0314.jsonl"), told)


def _opencode_writer(session: str, word: str) -> OpencodeWriter:
    refused = "The user rejected permission to use this specific tool call with the following feedback: "
    log = OpencodeWriter(session)
    log.user(f"{word} one", summary={"diffs": [{"file": "a.py", "before": OUTPUT, "after": OUTPUT}]})
    log.agent(
        opencode_store.text("I'll look."),
        opencode_store.tool("bash", f"{session}-c1", OUTPUT, {"exit": 1, "output": OUTPUT}, command="make"),
        opencode_store.tool("edit", f"{session}-c2", OUTPUT, filePath="a.py"),
    )
    log.user(f"{word} two")
    log.agent(opencode_store.failed("bash", f"{session}-c3", f"{refused}{word} three", command="make"))
    log.agent(opencode_store.tool("question", f"{session}-c4", OUTPUT, {"answers": [[f"{word} four"]]}, questions=[]))
    return log


_OPENCODE_SAID = ("tea one", "tea two", "tea three", "tea four")


def _opencode_export() -> Sample:
    log, other = _opencode_writer("ses_0a", "tea"), _opencode_writer("ses_0b", "milk")
    write = document("export.json", lambda units: {"info": log.info, "messages": units})
    told = _places(log.messages, *_OPENCODE_SAID)
    return Sample("opencode-export", "opencode", log.messages, other.messages, write, told, one_a_line=False)


def _opencode_database() -> Sample:
    log, other = _opencode_writer("ses_0a", "tea"), _opencode_writer("ses_0b", "milk")

    def write(folder: Path, units: Sequence[Unit]) -> Path:
        path = folder / "opencode.db"
        path.unlink(missing_ok=True)
        opencode_store.write_messages(path, log.info, units)
        return path

    told = _places(log.messages, *_OPENCODE_SAID)
    return Sample("opencode-database", "opencode", log.messages, other.messages, write, told, one_a_line=False)


def _gemini_writer(session: str, word: str) -> GeminiWriter:
    log = GeminiWriter(session)
    log.user(f"{word} one")
    response = {"functionResponse": {"id": f"{session}-c1", "response": {"output": OUTPUT}}}
    shown = {"originalContent": OUTPUT, "newContent": OUTPUT, "fileDiff": OUTPUT}
    log.says(
        "I'll look.",
        gemini_chat.call(f"{session}-c1", "run_shell_command", f"Output: {OUTPUT}", command="make"),
        gemini_chat.call(f"{session}-c2", "replace", OUTPUT, display=shown, file_path="a.py"),
    )
    log.message("user", [response, {"text": OUTPUT}])
    log.user(f"{word} two\n--- Content from referenced files ---\n{OUTPUT}\n--- End of content ---")
    log.says("", gemini_chat.call(f"{session}-c3", "ask_user", json.dumps({"answers": {"0": f"{word} three"}})))
    log.message("info", "Request cancelled.")
    log.user(f"{word} four")
    for record in log.records:
        record["id"] = f"{session}-{record['id']}"
    return log


def _gemini() -> Sample:
    units, other = ([log.meta, *log.records] for log in (_gemini_writer("6e", "tea"), _gemini_writer("6f", "milk")))
    told = _places(units, "tea one", "tea two", "tea three", "tea four")
    return Sample("gemini-lines", "gemini", units, other, lines("session-1.jsonl"), told)


def _gemini_document() -> Sample:
    log, other = _gemini_writer("6e", "tea"), _gemini_writer("6f", "milk")
    told = _places(log.records, "tea one", "tea two", "tea three", "tea four")
    write = document("session-1.json", lambda units: {**log.meta, "messages": units})
    return Sample("gemini-document", "gemini", log.records, other.records, write, told, one_a_line=False)


def _atif() -> Sample:
    def steps(session: str, word: str, first: int) -> list[dict[str, Any]]:
        call = {"tool_call_id": f"{session}-c1", "function_name": "bash", "arguments": {"command": "make"}}
        result = {"source_call_id": f"{session}-c1", "content": OUTPUT}
        made: list[dict[str, Any]] = [
            {"source": "user", "message": f"{word} one"},
            {"source": "agent", "message": "Yes.", "tool_calls": [call], "observation": {"results": [result]}},
            {"source": "system", "message": OUTPUT, "extra": {"original_source": "user"}},
            {"source": "user", "message": [{"type": "text", "text": f"{word} two"}]},
            {"source": "agent", "message": "Done.", "observation": {"results": [{"content": OUTPUT}]}},
        ]
        return [{"step_id": number, **step} for number, step in enumerate(made, first)]

    units = steps("a7", "tea", 1)
    around = {"schema_version": "ATIF-v1.6", "session_id": "a7", "agent": {"name": "example", "version": "1"}}
    write = document("trajectory.json", lambda units: {**around, "steps": units})
    return Sample(
        "atif", "atif", units, steps("a8", "milk", 9), write, _places(units, "tea one", "tea two"), one_a_line=False
    )


def _dataclaw() -> Sample:
    def messages(word: str) -> list[dict[str, Any]]:
        use = {"tool": "Bash", "input": {"command": "make"}, "output": {"text": OUTPUT}, "status": "success"}
        edit = {"tool": "Edit", "input": {"file_path": "a.py"}, "output": {"raw": {"originalFile": OUTPUT}}}
        made: list[dict[str, Any]] = [
            {"role": "user", "content": f"{word} one"},
            {"role": "assistant", "content": "Yes.", "tool_uses": [use, edit]},
            {"role": "user", "content": "[Request interrupted by user]"},
            {"role": "user", "content": f"{word} two"},
        ]
        return [{**one, "timestamp": f"2026-03-01T09:00:0{number}Z"} for number, one in enumerate(made)]

    units = messages("tea")
    around = {"session_id": "da7a", "project": "claude:kettle", "stats": {"input_tokens": 9, "output_tokens": 3}}
    write = document("da7a.json", lambda units: {**around, "messages": units})
    return Sample(
        "dataclaw", "dataclaw", units, messages("milk"), write, _places(units, "tea one", "tea two"), one_a_line=False
    )


def _release() -> Sample:
    def messages(session: str, word: str) -> list[dict[str, Any]]:
        use = {"type": "tool_use", "id": f"{session}-t1", "name": "Bash", "input": {"command": "make"}}
        result = {"type": "tool_result", "tool_use_id": f"{session}-t1", "content": OUTPUT}
        made: list[dict[str, Any]] = [
            {"role": "user", "content": f"{word} one"},
            {"role": "assistant", "content": [{"type": "text", "text": "Yes."}, use]},
            {"role": "user", "content": [result]},
            {"role": "user", "content": [{"type": "text", "text": f"{word} two"}]},
        ]
        return [{**one, "timestamp": f"2026-03-01T09:00:0{number}Z"} for number, one in enumerate(made)]

    units = messages("4e", "tea")
    around = {"session_id": "4e", "project": "kettle", "model": "claude-x"}
    write = document("session.json", lambda units: {**around, "messages": units})
    return Sample(
        "release",
        "release",
        units,
        messages("4f", "milk"),
        write,
        _places(units, "tea one", "tea two"),
        one_a_line=False,
    )


def _store() -> Sample:
    """Our own form. It is no log: what is there twice was stored twice."""

    def units(session: str, word: str, folder: Path) -> list[dict[str, Any]]:
        path = lines(f"{session}.jsonl")(folder, _codex_units(session, word))
        [read] = read_sessions(path)
        return [orjson.loads(line) for line in session_lines(read)]

    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        tea, milk = units("0c0d", "tea", Path(folder)), units("0c0e", "milk", Path(folder))
    said = _places(tea, "tea one", "tea two", "tea three", "tea four", mark="'event': 'human'")
    told = {text: places | {0} for text, places in said.items()}
    return Sample("swe-together", "store", tea, milk, lines("sessions.jsonl"), told, names_its_records=False)
