"""Planted secrets of many kinds, in every wrapping and in every format of transcript: none survives."""

import random
from pathlib import Path

import pytest

from swe_together.pipeline.privacy import Redactor, Salt, redact_file
from tests.pipeline.privacy.plants import PLANTS
from tests.pipeline.privacy.transcripts import FORMATS
from tests.pipeline.privacy.wrapping import WRAPPINGS, survivors

SEED = 20260302


def redactor() -> Redactor:
    return Redactor(Salt(b"0123456789abcdef0123456789abcdef"))


def test_there_are_thirty_kinds_at_least() -> None:
    assert len(PLANTS) >= 30


@pytest.mark.parametrize("kind", PLANTS)
def test_the_look_for_survivors_sees_every_wrapping(kind: str) -> None:
    """The test's own instrument: it must find what was not redacted."""
    plant = PLANTS[kind](random.Random(SEED))
    assert all(value in plant.text or "," in kind for value in plant.values if kind != "basic-auth-header")
    for name, wrap in WRAPPINGS.items():
        assert survivors(wrap(plant.text), plant.values), name


@pytest.mark.parametrize("kind", PLANTS)
def test_nothing_survives_in_any_wrapping(kind: str) -> None:
    dice = random.Random(f"{SEED} {kind}")
    for name, wrap in WRAPPINGS.items():
        plant = PLANTS[kind](dice)
        clean = redactor().text(wrap(plant.text))
        assert not survivors(clean.value, plant.values), f"{kind} in {name}"
        told = "".join(f"{finding}" for finding in clean.report.findings)
        assert not survivors(told, plant.values), f"the report on {kind} in {name}"


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_survives_in_any_format(form: str, tmp_path: Path) -> None:
    """All kinds in one transcript, so that a place which only one format has is tried with each."""
    dice = random.Random(f"{SEED} {form}")
    plants = {kind: make(dice) for kind, make in PLANTS.items()}
    source = FORMATS[form](tmp_path, "\n\n".join(plant.text for plant in plants.values()))
    report = redact_file(source, tmp_path / "out" / source.name, redactor())
    output = (tmp_path / "out" / source.name).read_bytes()
    told = "".join(map(str, report.findings))
    for kind, plant in plants.items():
        assert not survivors(output, plant.values), kind
        assert not survivors(told, plant.values), kind
    assert report.findings and not report.problems


@pytest.mark.parametrize("form", ["codex"])
def test_all_kinds_and_all_wrappings_in_one_transcript(form: str, tmp_path: Path) -> None:
    dice = random.Random(f"{SEED} all {form}")
    plants = [make(dice) for make in PLANTS.values()]
    wraps = list(WRAPPINGS.values())
    text = "\n\n".join(wraps[index % len(wraps)](plant.text) for index, plant in enumerate(plants))
    source = FORMATS[form](tmp_path, text)
    redact_file(source, tmp_path / "out.json", redactor())
    values = [value for plant in plants for value in plant.values]
    assert not survivors((tmp_path / "out.json").read_bytes(), values)
