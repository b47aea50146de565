"""Names beside mail addresses in JSON that is text, as in JSON that is parsed; and whose names stay."""

import json

import pytest

from swe_together.pipeline.privacy import Redactor, Salt
from tests.pipeline.privacy.wrapping import WRAPPINGS, survivors

MANIFEST = {
    "name": "@acme/tool",
    "version": "1.45.1",
    "author": "acme.sh <someone@example.com>",
    "maintainers": [{"name": "Zorvatek", "email": "someone@example.com"}],
    "repository": {"type": "git", "url": "git+https://github.com/acme/tool.git"},
}


def redacted(value: object) -> str:
    clean = Redactor(Salt(b"0123456789abcdef0123456789abcdef")).json(value).value
    return clean if isinstance(clean, str) else json.dumps(clean)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_name_beside_a_mail_address_in_text_as_in_parsed_json(indent: int | None) -> None:
    text = json.dumps(MANIFEST, indent=indent)
    assert redacted(text) == json.dumps(json.loads(redacted(MANIFEST)), indent=indent)
    assert "Zorvatek" not in redacted(text) and "@acme/tool" in redacted(text) and "acme.sh <" in redacted(text)


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_in_any_wrapping(wrapping: str) -> None:
    clean = redacted(WRAPPINGS[wrapping](json.dumps(MANIFEST, indent=2)))
    assert not survivors(clean, ["Zorvatek"])


@pytest.mark.parametrize(
    "text",
    [
        '{"email": "z@quorvex.io", "url": "https://quorvex.io/{x}", "name": "Zorvatek"}',
        '{"emailAddress": "z@quorvex.io", "nested": {"id": 4}, "name": "Zorvatek Kazemune"}',
        '5:   "maintainers": [\n6:     {\n7:       "name": "Zorvatek",\n8:       "email": "z@quorvex.io"',
        '"author": "Zorvatek <z@quorvex.io> (https://quorvex.io)"',
        '"contributors": [\n  "Jo Kim <jo@quorvex.io>",\n  "Zorvatek <z@quorvex.io>"\n]',
        'authors = ["Zorvatek <z@quorvex.io>"]',
        'authors = [{ name = "Zorvatek", email = "z@quorvex.io" }]',
        "author: { name: 'Zorvatek', email: 'z@quorvex.io' }",
        '"author": "zorvatek kazemune <z@quorvex.io>"',
    ],
)
def test_other_ways_to_write_an_author(text: str) -> None:
    assert "orvatek" not in redacted(text)


@pytest.mark.parametrize(
    "value",
    [
        {"author": "Zorvatek <z@quorvex.io>"},
        {"contributors": ["Jo Kim <jo@quorvex.io>", "Zorvatek <z@quorvex.io>"]},
        {"name": "Zorvatek", "emailAddress": "z@quorvex.io"},
    ],
)
def test_authors_in_parsed_json(value: object) -> None:
    assert "Zorvatek" not in redacted(value)


@pytest.mark.parametrize(
    "value",
    [
        {"author_name": "Tibor Kazemune", "id": 4, "author_email": "t.k@quorvex.io"},
        {"committerName": "Tibor Kazemune", "committerEmail": "t.k@quorvex.io"},
        {"author": "Tibor Kazemune", "author_email": "someone@example.com"},
        {"maintainer": "Tibor Kazemune", "email": "t.k@quorvex.io"},
    ],
)
def test_other_keys_of_an_object(value: dict[str, object]) -> None:
    assert "Tibor" not in redacted(value) and "Tibor" not in redacted(json.dumps(value))
    assert redacted(json.dumps(value, indent=2)) == json.dumps(json.loads(redacted(value)), indent=2)


@pytest.mark.parametrize(
    "value",
    [
        {"name": "Quick Tool", "author_email": "t.k@quorvex.io"},
        {"author_name": "Carla Jones", "author_email": "carla@example.com"},
        {"package_name": "Quick Tool", "email": "t.k@quorvex.io"},
        {"author": "Quorvex Team", "author_email": "t.k@quorvex.io"},
    ],
)
def test_keys_of_an_object_that_stay(value: dict[str, object]) -> None:
    assert "person-" not in redacted(value) and "person-" not in redacted(json.dumps(value))


def test_a_package_in_settings_stays_however_an_address_is_in_the_same_text() -> None:
    text = 'name = "mytool"\nversion = "1"\n\n[[x]]\nrole = "y"\nemail = "{}"\n'
    assert "mytool" in redacted(text.format("t.k@quorvex.io"))


def test_the_name_goes_from_elsewhere_too() -> None:
    clean = redacted([json.dumps(MANIFEST), "thanks, Zorvatek. On Zorvatek's branch"])
    assert "Zorvatek" not in clean and clean.count("person-") == 3


def test_a_short_name_goes_from_elsewhere_as_it_is_written() -> None:
    clean = redacted(['{"name": "Zorva", "email": "z@quorvex.io"}', "Zorva said so in zorva.py"])
    assert "Zorva" not in clean and "zorva.py" in clean


def test_jane_doe_is_nobody_whatever_the_address() -> None:
    assert '"Jane Doe"' in redacted('{"name": "Jane Doe", "email": "x@quorvex.io"}')


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "acme", "version": "1.0.0", "bugs": {"email": "bugs@example.com"}}',
        '{"name": "Jane Doe", "email": "jane@example.com"}',
        '{"name": "John Doe", "email": "john.doe@example.com"}',
        '{"name": "Alice", "email": "alice@example.com"}',
        '"author": "acme.sh <someone@example.com>"',
        'const user = { name: "Carla Jones", email: "carla@example.com" };',
        '{"name": "email", "type": "string", "mail": true}',
        "EMAIL_FROM='Quorvex <noreply@example.com>'",
    ],
)
def test_examples_and_packages_stay(text: str) -> None:
    assert redacted(text) == text


def test_a_first_name_of_examples_is_a_persons_beside_somebodys_address() -> None:
    for name in ("John Kazemune", "Alice Kazemune"):
        assert name not in redacted(f"Author: {name} <x@quorvex.io>\n")
        assert name not in redacted(f"Author: {name} <someone@example.com>\n")
        assert name in redacted(f"Author: {name} <x@example.com>\n")


def test_who_holds_the_copyright_stays_unless_the_name_is_known_otherwise() -> None:
    """Licences demand their notice. A name that stood in it alone would give its placeholders away."""
    notice = "Copyright (c) 2026 Tibor Kazemune"
    assert redacted(notice) == notice
    assert "Kazemune" not in redacted([notice, "Author: Tibor Kazemune <tibor@kazemune.org>\n"])
