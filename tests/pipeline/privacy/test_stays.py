"""What is neither secret nor personal comes through byte for byte."""

import json

import pytest

from swe_together.pipeline.privacy import Redactor, Salt
from tests.pipeline.privacy.stays import STAYS

SALT = Salt(b"0123456789abcdef0123456789abcdef")


def test_every_family_has_ten() -> None:
    assert min(map(len, STAYS.values())) >= 10


@pytest.mark.parametrize("family", STAYS)
def test_a_family_stays(family: str) -> None:
    for text in STAYS[family]:
        clean = Redactor(SALT).text(text)
        assert clean.value == text, [f"{f.kind} {f.length}" for f in clean.report.findings]
        assert not clean.report.findings


@pytest.mark.parametrize("family", STAYS)
def test_a_family_stays_inside_json(family: str) -> None:
    value = {"message": {"content": [{"type": "text", "text": text} for text in STAYS[family]]}}
    assert Redactor(SALT).json(value).value == value
    nested = {"arguments": json.dumps(value)}
    assert Redactor(SALT).json(nested).value == nested
