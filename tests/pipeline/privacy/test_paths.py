"""Persons of examples stay unless somebody here has the name, and so do addresses of examples and leads of keys."""

import json
import random

import pytest

from swe_together.pipeline.privacy import Redactor, Salt
from tests.pipeline.privacy.planting import ALNUM, some

EXAMPLE = "see /home/alice/notes.txt, /Users/alice/x and -Users-alice-project"


def redacted(*values: object) -> str:
    clean = Redactor(Salt(b"0123456789abcdef0123456789abcdef")).json(list(values)).value[-1]
    return clean if isinstance(clean, str) else json.dumps(clean)


@pytest.mark.parametrize("name", ["alice", "bob", "carol", "dave", "eve", "john", "jane", "jdoe", "alice2", "mallory"])
def test_persons_of_examples_stay(name: str) -> None:
    text = EXAMPLE.replace("alice", name)
    assert redacted(text, text) == text


@pytest.mark.parametrize(
    "source",
    [
        {"cwd": "/Users/alice/code/tool"},
        {"type": "user", "cwd": "/home/alice"},
        "HOME=/home/alice\nSHELL=/bin/zsh",
        "$ whoami\nalice\n",
        "uid=501(alice) gid=20(staff)",
        "ask alice@quorvex.io",
        "ask alice.kazemune@quorvex.io",
        "Author: Alice Kazemune <x@quorvex.io>\n",
        'git config user.name "Alice Kazemune"',
    ],
    ids=str,
)
@pytest.mark.parametrize("first", [True, False])
def test_one_that_somebody_here_is_called_goes(source: object, first: bool) -> None:
    clean = redacted(source, EXAMPLE) if first else redacted(EXAMPLE, source, EXAMPLE)
    assert "alice" not in clean and clean.count("user-") + clean.count("person-") == 3


def test_a_short_name_goes_from_homes() -> None:
    clean = redacted({"cwd": "/Users/bob/code"}, EXAMPLE.replace("alice", "bob") + " by bob")
    assert clean.count("bob") == 1 and clean.endswith(" by bob")


@pytest.mark.parametrize("name", ["user", "username", "you", "me", "test", "example", "foo", "bar"])
def test_words_that_are_nobodys_name_stay_even_then(name: str) -> None:
    assert name in redacted({"cwd": f"/Users/{name}/code"})


@pytest.mark.parametrize("source", ["ask alice@example.com", '{"cwd": "/Users/alice/x"}', "ssh alice@host:~$ ls"])
def test_an_example_is_no_proof(source: str) -> None:
    assert redacted(source, EXAMPLE) == EXAMPLE


@pytest.mark.parametrize("address", ["51.38.142.97", "94.130.12.201", "185.199.110.133", "13.59.214.8"])
def test_a_public_address_goes(address: str) -> None:
    assert address not in redacted(f'"ip_address": "{address}", ssh root@{address}')


@pytest.mark.parametrize(
    "address",
    [
        *(
            "1.2.3.4",
            "4.3.2.1",
            "5.6.7.8",
            "11.22.33.44",
            "12.34.56.78",
            "123.45.67.89",
            "98.76.54.32",
            "111.111.111.111",
        ),
        *("192.0.2.44", "198.51.100.7", "203.0.113.80", "127.0.0.1", "10.1.2.30", "172.20.3.4", "192.168.178.20"),
        *("8.8.8.8", "1.0.0.1", "9.9.9.9", "149.112.112.112", "208.67.220.220", "100.64.12.30", "169.254.169.254"),
        *("2001:db8::8a2e:370:7334", "2606:4700:4700::1111", "2620:fe::fe", "fe80::1ff:fe23:4567:890a", "::1"),
    ],
)
def test_an_address_of_examples_stays(address: str) -> None:
    text = f'"ip_address": "{address}", ssh root@{address}'
    assert redacted(text) == text


@pytest.mark.parametrize(
    "lead",
    [
        "curl -H 'Authorization: api-key={}' https://api.acme.io",
        "curl 'https://acme.io' \\\n--header 'Authorization: api-key={}'",
        "-H 'Authorization: api-key={}'",
        '--header "authorization: api-key={}"',
        '{{"Authorization": "api-key={}"}}',
        "Authorization: token={}",
        "Authorization: ApiKey {}",
    ],
)
def test_a_header_loses_its_key_alone(lead: str) -> None:
    value = "dev_" + some(random.Random(8), ALNUM, 60)
    clean = redacted(lead.format(value))
    before, after = lead.format("\0").split("\0")
    assert clean.startswith(before + "REDACTED-") and clean.endswith(after) and value not in clean


def test_a_parsed_header_loses_its_key_alone() -> None:
    value = "dev_" + some(random.Random(9), ALNUM, 60)
    assert '"api-key=REDACTED-' in redacted({"headers": {"Authorization": f"api-key={value}"}})
