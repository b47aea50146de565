"""The redactor's promises: consistent, coherent, complete in keys and numbers, and closed when something fails."""

import base64
import dataclasses
import io
import json
import random
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from swe_together.errors import MisuseError
from swe_together.pipeline.privacy import Policy, PrivacyError, Redactor, Salt, redact_json, redact_session, redact_text
from swe_together.pipeline.privacy._library import OVERLAP, WINDOW, Library
from swe_together.pipeline.privacy._scan import _tokens
from swe_together.pipeline.sessions import Call, Human, Origin, Outcome, Reply, Session
from tests.pipeline.privacy.planting import ALNUM, HEX, some
from tests.pipeline.privacy.plants import PLANTS
from tests.pipeline.privacy.wrapping import survivors

SALT = Salt(b"0123456789abcdef0123456789abcdef")
DICE = random.Random(77)
TOKEN = "ghp_" + some(DICE, ALNUM, 36)
PASSWORD = some(DICE, ALNUM, 18)
AT = datetime(2026, 3, 2, 10, tzinfo=UTC)


def redactor(policy: Policy | None = None) -> Redactor:
    return Redactor(SALT, policy)


def test_the_same_value_reads_the_same_everywhere_in_a_dataset() -> None:
    one = redactor()
    first = one.text(f"use {TOKEN}").value.split()[-1]
    assert first.startswith("REDACTED-github-token-")
    assert one.json({"a": [f"again {TOKEN}"]}).value == {"a": [f"again {first}"]}
    assert redactor().text(TOKEN).value == first
    other = Redactor(Salt(b"another salt of sixteen bytes...")).text(TOKEN).value
    assert other != first and other.startswith("REDACTED-github-token-")


def test_without_a_salt_nothing_links_two_runs() -> None:
    assert redact_text(TOKEN).value != redact_text(TOKEN).value


def test_a_home_path_stays_a_path_and_its_owner_is_found_elsewhere() -> None:
    clean = (
        redactor()
        .text("open /Users/kimolaze/code/a.py as kimolaze, mail kimolaze@quorvex.io, branch kimolaze/fix")
        .value
    )
    assert "kimolaze" not in clean
    home = clean.split("/")[2]
    assert clean.startswith(f"open /Users/{home}/code/a.py as {home}, mail mail-")
    assert clean.endswith(f"@example.com, branch {home}/fix")


def test_what_was_learnt_from_one_text_is_replaced_in_another() -> None:
    one = redactor()
    one.learn({"env": f"DB_PASSWORD={PASSWORD}", "cwd": "/home/zorvatek/x"})
    clean = one.text(f"it is {PASSWORD}, says zorvatek").value
    assert PASSWORD not in clean and "zorvatek" not in clean


def test_what_is_learnt_later_counts_for_a_text_that_was_read_before() -> None:
    one = redactor()
    text = f"{TOKEN} of nobu.kazemi"
    assert one.text(text).value.endswith(" of nobu.kazemi")
    one.learn("/home/nobu.kazemi/x")
    assert "nobu" not in one.apply(text).value


def test_redacting_twice_changes_nothing_more() -> None:
    dice = random.Random(5)
    text = "\n".join(make(dice).text for make in PLANTS.values())
    once = redactor().text(text).value
    again = redactor().text(once)
    assert again.value == once
    assert not again.report.findings


def test_keys_are_redacted_and_places_quote_none() -> None:
    clean = redactor().json({TOKEN: {"/home/zorvatek/x": f"see {TOKEN}"}})
    told = json.dumps(clean.value) + "".join(map(str, clean.report.findings))
    assert not survivors(told, [TOKEN, "zorvatek"])
    assert len(clean.report.findings) == 3


def test_names_of_keys_give_their_values_away() -> None:
    value = {
        "password": PASSWORD,
        "env": [{"name": "API_SECRET", "value": some(DICE, ALNUM, 24)}, {"name": "PORT", "value": "8080"}],
        "argv": ["tool", "--token", some(DICE, ALNUM, 24), "--verbose"],
        "client_secret": 8402715530918264,
        "author": {"name": "Tibor Kazemune", "email": "tibor@kazemune.org"},
        "max_tokens": 4096,
        "sessionId": "2577a596-e227-47e1-bea8-752f792cbc24",
    }
    clean = redactor().json(value).value
    assert clean["password"].startswith("REDACTED-")
    assert clean["env"][0]["value"].startswith("REDACTED-")
    assert clean["env"][1] == {"name": "PORT", "value": "8080"}
    assert clean["argv"][2].startswith("REDACTED-") and clean["argv"][3] == "--verbose"
    assert clean["client_secret"].startswith("REDACTED-")
    assert clean["author"]["name"].startswith("person-")
    assert clean["max_tokens"] == 4096 and clean["sessionId"] == value["sessionId"]


def test_an_encoded_body_says_the_same_but_for_the_secret() -> None:
    body = base64.b64encode(f"first line of it\ntoken {TOKEN}\nlast line".encode()).decode()
    clean = redactor().text(f"data:text/plain;base64,{body}").value
    plain = base64.b64decode(clean.removeprefix("data:text/plain;base64,")).decode()
    assert plain.startswith("first line of it\ntoken REDACTED-github-token-") and plain.endswith("\nlast line")


def test_pictures_stay_and_are_counted() -> None:
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(200))).decode()
    one = redactor()
    clean = one.json({"a": picture, "b": f"data:image/png;base64,{picture}", "c": "no picture"})
    assert clean.value["a"] == picture
    assert clean.report.pictures == 1
    assert one.text("no picture in this").report.pictures == 0


@pytest.mark.parametrize("offset", [0, WINDOW - 30, WINDOW - OVERLAP - 30, 3 * WINDOW])
def test_the_library_finds_what_no_rule_of_ours_knows(offset: int) -> None:
    """A key of Postman, at the seams of the windows that the library is given."""
    value = f"PMAK-{some(DICE, HEX, 24)}-{some(DICE, HEX, 34)}"
    text = ("some words of no meaning at all\n" * 3000)[:offset] + f"\nuse {value} here\n" + "and more words\n" * 2000
    clean = redactor().text(text)
    assert value not in clean.value
    assert {finding.family for finding in clean.report.findings} == {"secret"}
    assert not list(_tokens(value.encode()))


def test_owners_of_public_repositories_stay_but_for_home_paths() -> None:
    text = "clone https://github.com/zorvatek/tool into /home/zorvatek/tool"
    assert "zorvatek" not in redactor().text(text).value
    clean = redactor(Policy(repositories=("zorvatek/tool",))).text(text).value
    assert clean.startswith("clone https://github.com/zorvatek/tool into /home/user-")
    assert "/home/zorvatek" not in clean


def test_a_policy_keeps_and_hides_words() -> None:
    one = redactor(Policy(keep=("zorvatek",), hide=("Project Bluebarrow",)))
    clean = one.text("/home/zorvatek/x for project bluebarrow").value
    assert clean.startswith("/home/zorvatek/x for person-")


def test_a_secret_cut_by_line_breaks_goes_whole() -> None:
    value = "sk-ant-api03-" + some(DICE, ALNUM, 90)
    for lead in ("", "+", " ", "    12→"):
        text = f"{lead}key:\n{lead}{value[:60]}\n{lead}{value[60:]}\n{lead}and more words"
        clean = redactor().text(text).value
        assert value[:60] not in clean and value[60:] not in clean, lead
        assert clean.endswith("and more words")


def test_a_session_keeps_its_shape() -> None:
    session = Session(
        origin=Origin(format="codex", file="a.jsonl", session_id="s1", cwd="/Users/kimolaze/tool"),
        events=(
            Human(record=1, at=AT, text=f"use {TOKEN}"),
            Reply(record=2, at=AT, text="ok, kimolaze", model="gpt-5.3-codex"),
            Call(record=3, at=AT, call_id="c1", tool="Bash", action="run", input={"env": {"PASSWORD": PASSWORD}}),
            Outcome(record=4, at=AT, call_id="c1", status="ok", text="done", before=f"x = '{PASSWORD}'"),
        ),
    )
    clean = redact_session(session, redactor())
    told = repr(clean.value) + "".join(map(str, clean.report.findings))
    assert not survivors(told, [TOKEN, PASSWORD, "kimolaze"])
    assert clean.value.started == AT
    assert [type(event) for event in clean.value.events] == [type(event) for event in session.events]
    assert dataclasses.replace(clean.value.origin, cwd=session.origin.cwd) == session.origin
    assert clean.value.events[3].status == "ok"  # type: ignore[union-attr]


class FailingLibrary(Library):
    """A scanner that fails as the real one may."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._scanner = self
        self._error = error

    def scan(self, data: bytes, *, timeout: float) -> list[object]:
        raise self._error


@pytest.mark.parametrize("error", [TimeoutError("slow"), RuntimeError("broken"), ValueError(f"bad {PASSWORD}")])
def test_a_scanner_that_fails_stops_everything(error: Exception) -> None:
    one = redactor()
    one._scanner.library = FailingLibrary(error)
    with pytest.raises(PrivacyError) as caught:
        one.json({"deep": [f"a text that is long enough, {PASSWORD}"]})
    assert PASSWORD not in str(caught.value)
    assert "/deep/0" in str(caught.value)


def test_a_finding_that_is_not_in_the_text_stops_everything() -> None:
    class Finding:
        visible, secret, rule_id = True, "Zk29xQ77LmPw31Vb", "x.y"

    class Lying(FailingLibrary):
        def scan(self, data: bytes, *, timeout: float) -> list[object]:
            return [Finding()]

    one = redactor()
    one._scanner.library = Lying(ValueError())
    with pytest.raises(PrivacyError, match="not in the text"):
        one.text("a text that is long enough")


def unscannable() -> Iterator[tuple[str, object]]:
    deep: object = "x"
    for _ in range(250):
        deep = [deep]
    yield "nested", deep
    text = "A"
    for _ in range(14):
        text = "".join(f"%{ord(c):02x}" for c in text) if len(text) < 9 else text.replace("%", "%25")
    yield "escaped", text
    body = "a plain text in a body, over and over"
    for _ in range(9):
        body = base64.b64encode(body.encode()).decode()
    yield "bodies lie in bodies", body
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(70 << 20))
    yield "unpacks to more than", base64.b64encode(packed.getvalue()).decode()
    yield "no JSON", {"a": object()}


@pytest.mark.parametrize(
    ("reason", "value"),
    list(unscannable()),
    ids=lambda value: value if isinstance(value, str) and len(value) < 30 else "",
)
def test_what_cannot_be_looked_through_is_refused(reason: str, value: object) -> None:
    with pytest.raises(PrivacyError, match=reason):
        redact_json(value, redactor())


def test_of_two_processes_that_make_a_salt_the_first_one_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Salt.load(tmp_path / "salt")
    monkeypatch.setattr(Path, "exists", lambda path: False)
    assert Salt.load(tmp_path / "salt").digest(b"x") == first.digest(b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["salt"]


def test_a_salt_is_secret_and_long() -> None:
    assert "0123" not in repr(SALT)
    with pytest.raises(MisuseError, match="guessed"):
        Salt(b"short")


@pytest.mark.parametrize(
    "unit",
    [
        *("-----BEGIN PRIVATE KEY-----\n", "a@", "a.b@c-", "\\", "%25", "://u:p", "password=", "eyJaaaaaaaa."),
        *("+1 ", "a:", "-Users-x", "Aa1/", "\x1b[31m", "cookie: a=b;"),
        *(
            '"login":"abcd",',
            '{"login":"abcd","id":5,"html_url":"x"},',
            '"name":"Abcd","email":"a@b.cd",',
            '"cookies":["a",',
        ),
        *("On branch a/b ", '{"httpOnly":1,', '"author":["A <a@b.cd>",', "whoami\n"),
    ],
)
def test_time_grows_with_the_length_and_not_with_its_square(unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * (length // len(unit) + 1))[:length]
        one = redactor()
        began = time.process_time()
        one._scanner._spans(text.encode(), 0)
        return time.process_time() - began

    redactor().text("the rules are loaded once, before the clock runs")
    short, long = seconds(8_000), seconds(64_000)
    assert long < 24 * max(short, 0.01), (short, long)
