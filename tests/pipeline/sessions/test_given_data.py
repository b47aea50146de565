"""Every recorded session that is given: what people said in it, against counts that were made apart from us."""

import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from swe_together.pipeline.sessions import Human, Outcome, Session, read_sessions

pytestmark = pytest.mark.data

HOME_PATH = (
    "the copies were given pseudonyms for names in home paths after the lengths were taken: this message has a path"
)
OTHER_LENGTHS: dict[tuple[str, int], tuple[int, int]] = {
    # file, record: length here, length in the manifest
    ("cli-e59841e553d8.jsonl", 50): (1561, 1569),
    ("agent-swarm-0c3edf166d88.jsonl", 460): (240, 241),
    ("light-protocol-16e76c08db99.jsonl", 3): (6222, 6224),
    ("light-protocol-e2fccaf05f5b.jsonl", 3): (518, 520),
    ("light-protocol-dfab5f115e49.jsonl", 3): (6551, 6553),
}
"""Where a length differs from the manifest, because of ``HOME_PATH``. No count differs."""

HIDDEN: dict[str, list[tuple[int, str, str]]] = {
    "cli-50167cdf0a53.jsonl": [(71, "rejection", "don't worry about linting")],
    "cli-e59841e553d8.jsonl": [(35, "rejection", "can you use a switch case")],
    "cli-765405cfabe1.jsonl": [(159, "queued", "commit first so you get"), (406, "rejection", "fmt first maybe")],
    "cli-3ad6d3013b7f.jsonl": [
        (81, "queued", "I wouldn't be surprised"),
        (87, "approval", "when was the saveChanges"),
        (116, "rejection", "just reset, can you"),
        (146, "queued", "open up an appropriate branch"),
        (148, "rejection", "main is opened in a new"),
    ],
    "agent-swarm-0c3edf166d88.jsonl": [(10, "command", "@thoughts/")],
    "agent-swarm-508b0d0b5f5e.jsonl": [
        (7, "command", "I want you to help me review"),
        (56, "answer", "Existing test workspace"),
        (415, "command", ""),
        (422, "answer", "Research document"),
        (539, "answer", "Yes, nuke and rebuild"),
        (593, "command", ""),
    ],
    "agent-swarm-87bbdaf6d5fa.jsonl": [(76, "answer", "there's a <event>"), (359, "answer", "include all pls")],
    "lock_code_manager-5742c4056184.jsonl": [(83, "queued", "you can use the `entire`")],
    "lock_code_manager-44b1b1c57337.jsonl": [(110, "queued", "create PR using PR template")],
    "light-protocol-e2fccaf05f5b.jsonl": [
        (285, "queued", "/loop fix the issues"),
        (298, "queued", "│ Program Logs:"),
        (331, "queued", "we truncate by zeroing"),
        (332, "queued", "not the last it is big endian"),
        (371, "command", "until all ci tests"),
    ],
    "light-protocol-dfab5f115e49.jsonl": [(210, "rejection", "run cargo test-sbf")],
    "light-protocol-aaff3a4586bf.jsonl": [(225, "queued", "both")],
}
"""What people said beside their plain messages, looked up in the raw files: record, channel, first words."""

RELEASE_COUNTS = {
    "cli-task-0ec2e9": 7,
    "cli-task-2026-0": 3,
    "cli-task-2c3e30": 13,
    "cli-task-577e8c": 3,
    "cli-task-c425e4": 6,
    "cli-task-c4c7e9": 3,
    "cli-task-cf32cb": 11,
    "cli-task-ea3f8f": 8,
    "comfyui-gemma3-sliding-window": 4,
    "comfyui-jina-clip-v2-full": 5,
    "comfyui-lumina-axes-lens": 3,
    "dataclaw-anonymizer-tests": 5,
    "desloppify-zone-classification": 13,
    "gemini-voyager-task-4a5730": 3,
    "gemini-voyager-task-4bddaf": 5,
    "gemini-voyager-task-64c72f": 4,
    "gemini-voyager-task-72a86c": 4,
    "gemini-voyager-task-aa88f5": 3,
    "gemini-voyager-task-f519c2": 4,
    "hyperswitch-8008": 1,
    "hyperswitch-8377": 1,
    "hyperswitch-8389": 1,
    "hyperswitch-9465": 1,
    "nunchaku-quantize-bugfix": 4,
    "pi-mono-auto-0750e8eb": 9,
    "pi-mono-auto-4439324b": 17,
    "pi-mono-auto-93c17d3b": 12,
    "pi-mono-auto-95de1efe": 8,
    "pi-mono-auto-cad40af4": 9,
    "pi-mono-auto-cbb62cbe": 25,
    "pi-mono-auto-d3b2130d": 8,
    "pi-mono-foreign-toolcall-fix": 17,
    "pi-mono-tool-execution-write-error": 5,
    "reigh-radix-props-cleanup": 6,
    "reigh-taskspane-lightbox-bug": 19,
    "reigh-timeline-multiselect": 31,
    "sd-scripts-sdxl-multires-dedup": 13,
    "unsloth-idefics3-finetune": 19,
}
"""Messages of the person as the release counts them."""

RECORDED: dict[str, tuple[int, int, str]] = {
    # task: messages here, messages in the release's own count, why
    "comfyui-lumina-axes-lens": (5, 3, "messages 29 and 34 are plain texts that the release leaves out"),
    "gemini-voyager-task-aa88f5": (
        5,
        3,
        "messages 54 and 64 have an image too; the release leaves them out",
    ),
}
"""Where a recorded session of the release differs from its own count."""

COMMANDS = {"unsloth-idefics3-finetune": 2}
"""Commands with arguments, which the release doesn't count."""


def manifest(folder: Path) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text())
    return loaded


def only(path: Path) -> Session:
    [session] = read_sessions(path)
    return session


def typed(session: Session) -> list[Human]:
    return [human for human in session.humans() if human.channel == "typed"]


def test_plain_messages_of_every_transcript_equal_the_manifest(transcripts: Path) -> None:
    seen = 0
    differ: set[tuple[str, int]] = set()
    for entry in manifest(transcripts):
        found = typed(only(transcripts / entry["file"]))
        assert len(found) == entry["plain_human_messages"], entry["file"]
        for human, length in zip(found, entry["plain_human_message_lengths"], strict=True):
            place = (entry["file"], human.record)
            if place in OTHER_LENGTHS:
                differ.add(place)
                assert (len(human.text), length) == OTHER_LENGTHS[place], place
                assert "/Users/dev" in human.text, HOME_PATH
            else:
                assert len(human.text) == length, place
        seen += 1
    assert seen == 28
    assert differ == OTHER_LENGTHS.keys()


def test_hidden_messages_of_every_transcript(transcripts: Path) -> None:
    for entry in manifest(transcripts):
        name = entry["file"]
        found = [human for human in only(transcripts / name).humans() if human.channel != "typed"]
        wanted = [hidden for hidden in HIDDEN.get(name, []) if hidden[2]]
        assert [(human.record, human.channel) for human in found] == [hidden[:2] for hidden in wanted], name
        for human, (_, _, first) in zip(found, wanted, strict=True):
            assert human.text.startswith(first), (name, human.record)


def test_edits_and_times_of_every_transcript_equal_the_manifest(transcripts: Path) -> None:
    for entry in manifest(transcripts):
        session = only(transcripts / entry["file"])
        edits = sum(event.action in ("edit", "write") for event in session.events if hasattr(event, "action"))
        assert edits == entry["edits"], entry["file"]
        assert session.started is not None and session.ended is not None
        # The manifest's times are of all records; ours are of what happened.
        assert session.started >= datetime.fromisoformat(entry["start"])
        assert session.ended <= datetime.fromisoformat(entry["end"])


def test_broken_lines_of_all_transcripts(transcripts: Path) -> None:
    found = [
        (entry["file"], problem.record)
        for entry in manifest(transcripts)
        for problem in only(transcripts / entry["file"]).problems
    ]
    assert found == [("cli-1444738c64c9.jsonl", 115)]  # two records on one line


def test_all_recorded_sessions_of_the_release(recorded: Path) -> None:
    folders = sorted(folder for folder in recorded.iterdir() if folder.is_dir())
    assert len(folders) == 38
    counts = RELEASE_COUNTS
    formats: Counter[str] = Counter()
    for folder in folders:
        session = only(folder / "original_session.json")
        formats[session.origin.format] += 1
        assert session.problems == (), folder.name
        here, theirs, _why = RECORDED.get(folder.name, (counts[folder.name], counts[folder.name], ""))
        assert (len(typed(session)), counts[folder.name]) == (here, theirs), folder.name
        commands = [human for human in session.humans() if human.channel == "command"]
        assert len(commands) == COMMANDS.get(folder.name, 0)
    assert formats == {"release": 27, "dataclaw": 11}


def test_scripted_runs_of_the_release_have_one_message_and_no_output_in_it(recorded: Path) -> None:
    for name in ("hyperswitch-8008", "hyperswitch-8377", "hyperswitch-8389", "hyperswitch-9465"):
        session = only(recorded / name / "original_session.json")
        [human] = session.humans()
        assert human.text.startswith("You are working on the hyperswitch repository")
        assert session.origin.commit is not None and len(session.origin.commit) == 40
        assert sum(isinstance(event, Outcome) for event in session.events) > 20
