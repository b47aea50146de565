"""The size of our prompts against the paper release's, over recorded sessions.

Each recorded follow-up stands for an anchor, each agent turn for an observation; both policies are asked after every
turn. Counted are all characters that are sent: system text, user text and the form of the answer. What the release's
growing history would have sent over the same sessions is read from a file. Run with the folder of transcripts (Claude
Code's JSON lines) and that file::

    python -m tests.bench.prompt_size TRANSCRIPTS [--release FILE] [--output docs/benchmarks/prompts.json]

The folder may also be named by ``SWE_TOGETHER_TRANSCRIPTS``; the file lies beside it unless named.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swe_together import defaults
from swe_together.adapter.observe import middle_cut
from swe_together.files import write_atomically
from swe_together.schema import Change, Command, Observation, SimulatorScript
from swe_together.simulator import asks
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.model import AnchoredUser, Background, FreeUser
from swe_together.simulator.model.fake import ListedModel

RELEASE_FILE = "release_simulator_prompt_chars.json"
POLICIES = {"anchored": AnchoredUser, "llm": FreeUser}
PERSONA_CHARS, ANALYSIS_CHARS = 210, 1_300
"""Recordings have neither; these are the medians of our own tasks, and what the release's 6,000 characters hold too."""
MANY_TURNS = 5
WANTED_SESSION, WANTED_LAST = 0.5, 0.25
TURN_SEC = 60.0
_HARNESS = ("[Request interrupted by user", "<command-", "<local-command", "<bash-", "<task-notification")
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_EDITOR = re.compile(r"^(?:<ide_\w+>.*?</ide_\w+>\s*)+", re.DOTALL)


@dataclass
class Recorded:
    """One user message and what the agent did until the next."""

    message: str
    replies: list[str] = field(default_factory=list)
    tools: list[dict[str, Any]] = field(default_factory=list)
    results: dict[str, tuple[str, bool]] = field(default_factory=dict)


def read_transcript(path: Path) -> list[Recorded]:
    """The turns of a session: what a person typed opens one, everything of the harness is left out."""
    turns: list[Recorded] = []
    for record in _objects(path.read_bytes().decode("utf-8", "replace")):
        if record.get("isSidechain") or record.get("isMeta") or record.get("isCompactSummary"):
            continue
        content = (record.get("message") or {}).get("content")
        blocks = content if isinstance(content, list) else []
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if record.get("type") == "user" and results and turns:
            turns[-1].results.update(
                {one["tool_use_id"]: (_text(one.get("content") or ""), bool(one.get("is_error"))) for one in results}
            )
        elif record.get("type") == "user" and not results:
            typed = _EDITOR.sub("", _REMINDER.sub("", _text(content)).strip())
            if typed and not typed.startswith(_HARNESS):
                turns.append(Recorded(typed))
        elif record.get("type") == "assistant" and turns:
            turns[-1].replies += [block["text"] for block in blocks if block.get("type") == "text"]
            turns[-1].tools += [block for block in blocks if block.get("type") == "tool_use"]
    return turns


def observe(turn: Recorded, number: int) -> Observation:
    """The turn as the adapter would show it, with the edits as the diff."""
    reply = turn.replies[-1] if turn.replies else ""
    commands = [
        Command(
            command=middle_cut(str(tool["input"].get("command", "")), defaults.COMMAND_CHARS),
            output=middle_cut(turn.results.get(tool["id"], ("", False))[0], defaults.OUTPUT_CHARS),
            exit=int(turn.results.get(tool["id"], ("", False))[1]),
        )
        for tool in turn.tools
        if tool["name"] == "Bash"
    ]
    edits = [edit for tool in turn.tools for edit in _edits(tool)]
    counts: dict[str, list[int]] = {}
    for path, old, new in edits:
        counted = counts.setdefault(path, [0, 0])
        counted[0] += len(new)
        counted[1] += len(old)
    diff = "\n".join(_hunk(*edit) for edit in edits)
    return Observation(
        turn=number,
        reply=middle_cut(reply, defaults.REPLY_CHARS),
        reply_chars=len(reply),
        commands=commands[-defaults.COMMANDS_SHOWN :],
        commands_total=len(commands),
        changes=[
            Change(path=path, status="modified", added=added, removed=removed)
            for path, (added, removed) in list(counts.items())[: defaults.CHANGES_SHOWN]
        ],
        changes_total=len(counts),
        diff=middle_cut(diff, defaults.DIFF_CHARS),
        diff_chars=len(diff),
        agent_asks=asks(reply),
        turn_sec=TURN_SEC,
        elapsed_sec=TURN_SEC * number,
    )


async def sizes(policy: str, turns: Sequence[Recorded]) -> list[int]:
    """Characters of the prompt after each turn of a session that goes as recorded."""
    script = _script(turns)
    background = Background(turns[0].message, "a" * ANALYSIS_CHARS)
    user = POLICIES[policy](script, background, ListedModel([]), session_sec=defaults.SESSION_TIME_SEC)
    found = []
    for number, turn in enumerate(turns, start=1):
        observation = observe(turn, number)
        await user.machine.settle(FakeWorld(), observation)
        options = await user.machine.eligible()
        found.append(user.request(options, observation, yielded=True).chars)
        if user.machine.end is None and number < len(turns):
            user.machine.conclude(options, options[0] if options else None)
    return found


def measure(transcripts: Path, release: Path) -> dict[str, Any]:
    """Ratios per session and policy, and their medians."""
    told = json.loads(release.read_text(encoding="utf-8"))["sessions"]
    report: dict[str, Any] = {"sessions": len(told), "persona_and_analysis_chars": PERSONA_CHARS + ANALYSIS_CHARS}
    recorded = {one["file"]: read_transcript(transcripts / one["file"]) for one in told}
    for policy in POLICIES:
        rows = []
        for one in told:
            turns = recorded[one["file"]]
            if len(turns) != one["user_turns"]:
                raise SystemExit(f"{one['file']}: {len(turns)} user turns were read, the file says {one['user_turns']}")
            ours = asyncio.run(sizes(policy, turns))
            rows.append(
                {
                    "file": one["file"],
                    "turns": len(turns),
                    "chars": ours,
                    "session_ratio": round(sum(ours) / one["release_prompt_chars_total"], 4),
                    "last_call_ratio": round(ours[-1] / one["release_prompt_chars_last_call"], 4),
                }
            )
        many = [row["last_call_ratio"] for row in rows if row["turns"] >= MANY_TURNS]
        report[policy] = {
            "median_session_ratio": round(statistics.median(row["session_ratio"] for row in rows), 4),
            f"median_last_call_ratio_from_{MANY_TURNS}_turns": round(statistics.median(many), 4),
            "largest_prompt_chars": max(max(row["chars"]) for row in rows),
            "rows": rows,
        }
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write; exit 1 where a ratio is above what is wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.prompt_size", description=__doc__)
    folder = os.environ.get("SWE_TOGETHER_TRANSCRIPTS")
    parser.add_argument("transcripts", type=Path, nargs="?", default=folder and Path(folder))
    parser.add_argument("--release", type=Path, help="characters that the release would send")
    parser.add_argument("--output", type=Path, default=Path("docs/benchmarks/prompts.json"))
    options = parser.parse_args(arguments)
    if options.transcripts is None:
        parser.error("name the folder of transcripts, or set SWE_TOGETHER_TRANSCRIPTS")
    report = measure(options.transcripts, options.release or options.transcripts.parent / RELEASE_FILE)
    write_atomically(options.output, json.dumps(report, indent=1) + "\n")
    good = True
    for policy in POLICIES:
        session = report[policy]["median_session_ratio"]
        last = report[policy][f"median_last_call_ratio_from_{MANY_TURNS}_turns"]
        good = good and session <= WANTED_SESSION and last <= WANTED_LAST
        print(f"{policy:8}  our prompt / the release's: median session {session:.3f} (wanted ≤ {WANTED_SESSION}), "
              f"median last call of sessions from {MANY_TURNS} turns {last:.3f} (wanted ≤ {WANTED_LAST})")  # fmt: skip
    return 0 if good else 1


def _script(turns: Sequence[Recorded]) -> SimulatorScript:
    anchors = [
        {
            "id": f"follow-up-{number}", "source_turn": number, "action": "question", "message": turn.message,
            "after": [f"follow-up-{number - 1}"] if number > 1 else [],
        }
        for number, turn in enumerate(turns)
        if number > 0
    ]  # fmt: skip
    persona = {"description": "p" * PERSONA_CHARS, "on_question": "go ahead as you think best"}
    return SimulatorScript.model_validate({"persona": persona, "anchors": anchors})


def _edits(tool: dict[str, Any]) -> Iterator[tuple[str, list[str], list[str]]]:
    if tool["name"] not in ("Edit", "MultiEdit", "Write"):
        return
    given = tool["input"]
    for edit in given.get("edits") or [given]:
        new = edit.get("new_string", edit.get("content", ""))
        yield str(given.get("file_path", "")).lstrip("/"), edit.get("old_string", "").splitlines(), new.splitlines()


def _hunk(path: str, old: list[str], new: list[str]) -> str:
    lines = [f"-{line}" for line in old] + [f"+{line}" for line in new]
    return "\n".join([f"diff --git a/{path} b/{path}", f"@@ -1,{len(old)} +1,{len(new)} @@", *lines])


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or [] if block.get("type") == "text")


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every JSON object of the file; a few recordings hold two on a line."""
    decoder = json.JSONDecoder(strict=False)
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        value, place = decoder.raw_decode(text, place)
        if isinstance(value, dict):
            yield value


if __name__ == "__main__":
    sys.exit(main())
