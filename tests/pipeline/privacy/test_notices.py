"""Who holds a copyright stays, unless an account or a mail address is the same first and last name joined."""

import pytest

from swe_together.pipeline.privacy import Policy, Redactor, Salt
from swe_together.pipeline.privacy import _scan as scan
from swe_together.pipeline.privacy._notices import account, joined, notices
from tests.pipeline.privacy.wrapping import WRAPPINGS, survivors

NOTICE = "Copyright (c) 2026 Tibor Kazemune\n\nPermission is hereby granted, free of charge"


def redacted(*texts: str, policy: Policy | None = None) -> list[str]:
    clean: list[str] = Redactor(Salt(b"0123456789abcdef0123456789abcdef"), policy).json(list(texts)).value
    return clean


GIVEN = [
    "/Users/tiborkazemune/code",
    "/home/tibor.kazemune/code",
    "/home/tibor_kazemune/code",
    "/home/tibor-kazemune/code",
    "C:\\Users\\TiborKazemune\\code",
    "~/.claude/projects/-Users-tiborkazemune-code",
    "/home/kazemunetibor/code",
    "/home/tiborkazemune2/code",
    "tiborkazemune@studio ~ % ls",
    "-rw-r--r--  1 tiborkazemune  staff  120 Mar  2 10:00 a.txt",
    '{"login": "tibor-kazemune", "id": 4127704}',
    "USER=tibor.kazemune",
    "mail tibor.kazemune@quorvex.io",
    "mail 4127704+tiborkazemune@users.noreply.github.com",
]


@pytest.mark.parametrize("given", GIVEN)
def test_an_account_of_the_same_name_gives_it_away(given: str) -> None:
    """In either order, and the name goes from prose too."""
    clean = redacted(NOTICE, given, "thanks to Tibor Kazemune")
    assert "Tibor" not in "".join(clean) and "azemune" not in "".join(clean)
    assert clean[0].endswith("\n\nPermission is hereby granted, free of charge")
    assert redacted(given, "thanks to Tibor Kazemune", NOTICE) == [*clean[1:], clean[0]]


@pytest.mark.parametrize(
    "notice",
    [
        "Copyright © 2020-2026 Tibor Kazemune. All rights reserved.",
        "© Tibor Kazemune",
        "(c) 2026 by Tibor Kazemune and contributors",
        "Copyright &copy; 2026 <a href='https://kazemune.org'>Tibor Kazemune</a>",
        "copyright = '2026, Jo Kim, Tibor Kazemune'",
        "# SPDX-FileCopyrightText: 2026 Tibor Kazemune <https://tool.io>",
        "Copyright 2026-present Tibor J. Kazemune",
        "COPYRIGHT (C) 2026 TIBOR KAZEMUNE",
        "Copyright \\u00a9 2026 Tibor Kazemune",
    ],
)
def test_ways_to_write_a_notice(notice: str) -> None:
    assert redacted(notice) == [notice]
    clean = redacted(notice, "/Users/tiborkazemune/code")[0]
    assert "tibor" not in clean.lower() and "person-" in clean


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_in_any_wrapping(wrapping: str) -> None:
    text = WRAPPINGS[wrapping](f"{NOTICE}\ncd /home/tibor.kazemune/code\n")
    assert not survivors(redacted(text)[0], ["Tibor Kazemune", "tibor.kazemune"])


@pytest.mark.parametrize(
    "other",
    [
        "/home/tkazemune/code",
        "/home/tibor.kovacs/code",
        "/home/tiborkazemunex/code",
        "/Users/jokim/code",
        "jo.kim@quorvex.io",
        "the Tibor Kazemune of tiborkazemune.org",
    ],
)
def test_another_account_does_not(other: str) -> None:
    assert redacted(NOTICE, other)[0] == NOTICE


def test_persons_of_examples_and_teams_stay() -> None:
    for notice, other in (
        ("Copyright (c) 2026 Jane Doe", "/home/janedoe/x"),
        ("Copyright (c) 2026 Quorvex Team", "/home/quorvexteam/x"),
    ):
        assert redacted(notice, other)[0] == notice


def test_the_words_of_a_name_that_may_be_an_organisations_stay() -> None:
    texts = ("Copyright 2026 Quorvex Research", '{"login": "quorvexresearch"}', "Research is what Quorvex does")
    clean = redacted(*texts)
    assert "Quorvex" not in clean[0] and clean[2] == texts[2]


def test_the_owner_of_a_public_repository_stays() -> None:
    policy = Policy(repositories=("tiborkazemune/tool",))
    assert redacted(NOTICE, "/home/tiborkazemune/code", policy=policy)[0] == NOTICE
    kept = Policy(keep=("Tibor Kazemune",))
    assert redacted(NOTICE, "/home/tiborkazemune/code", policy=kept)[0] == NOTICE


def test_names_and_accounts_are_written_alike() -> None:
    assert list(notices("© 2026 Jürgen Müller, Acme".encode())) == ["Jürgen Müller".encode()]
    assert {account(b"juergen.mueller"), account(b"jurgenmuller7")} <= joined("Jürgen Müller".encode())
    assert account(b"12+tibor.kazemune+news") == "tiborkazemune"
    assert not joined(b"Al Li")


def test_what_is_public_is_worked_out_once_and_not_for_each_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[bytes]()
    monkeypatch.setattr(scan, "account", lambda name: (asked.append(name), account(name))[1])
    policy = Policy(repositories=("tiborkazemune/tool",), keep=("Jo Kim",))
    names = [f"Copyright 2026 {first} {last}" for first in ("Mira", "Lena", "Nils") for last in ("Orban", "Quist")]
    redacted(NOTICE, *names, policy=policy)
    assert sorted(asked) == [b"jo kim", b"tiborkazemune"]
