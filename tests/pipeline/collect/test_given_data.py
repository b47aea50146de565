"""The rules on given sessions."""

from collections import Counter
from pathlib import Path

import pytest

from swe_together.pipeline.collect import Rules, read_candidates
from swe_together.pipeline.collect._run import Collection, rejected_path

pytestmark = pytest.mark.data


def test_scripted_runs_are_refused_as_single_turns(recorded: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.jsonl"
    funnel = Collection([recorded], output, Rules()).run(1, lambda files, size: None)
    assert (funnel.sessions, funnel.broken) == (38, [])
    rejected = {
        one.place.path.parent.name: [reason.rule for reason in one.reasons]
        for one in read_candidates(rejected_path(output))
    }
    scripted = {name: reasons for name, reasons in rejected.items() if name.startswith("hyperswitch-")}
    assert scripted == {f"hyperswitch-{number}": ["single-turn"] for number in (8008, 8377, 8389, 9465)}
    # The release made two tasks of one session.
    assert {name: reasons for name, reasons in rejected.items() if name not in scripted} == {
        "pi-mono-foreign-toolcall-fix": ["duplicate"]
    }
    assert funnel.eligible == 33


def test_every_transcript_with_a_manifest_is_a_candidate(transcripts: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.jsonl"
    funnel = Collection([transcripts], output, Rules()).run(2, lambda files, size: None)
    assert funnel.broken == []
    formats = Counter(one.facts.format for one in read_candidates(output))
    assert formats["claude-code"] == 28
