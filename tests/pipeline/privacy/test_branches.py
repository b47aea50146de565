"""A branch that is named after somebody loses the name, where it is known from another place."""

import pytest

from swe_together.pipeline.privacy import Redactor, Salt

BRANCH = {"gitBranch": "ann/fix-login"}


def redacted(*values: object) -> str:
    return str(Redactor(Salt(b"0123456789abcdef0123456789abcdef")).json(list(values)).value[-1])


@pytest.mark.parametrize(
    ("source", "prefix"),
    [
        ("Author: Robin Kazemune <x@quorvex.io>\n", "robin"),
        ("Author: Robin Kazemune <x@quorvex.io>\n", "kazemune"),
        ("Author: Robin Kazemune <x@quorvex.io>\n", "rkazemune"),
        ("Author: Robin Kazemune <x@quorvex.io>\n", "robin.kazemune"),
        ("Author: Robin Kazemune <x@quorvex.io>\n", "rk"),
        ("ask robin.kazemune@quorvex.io", "robin"),
        ("ask alex@quorvex.io", "alex"),
        ("open /Users/alex/tool", "alex"),
        ("open /home/ann/tool", "ann"),
        ({"name": "Alex", "email": "x@quorvex.io"}, "alex"),
    ],
)
@pytest.mark.parametrize("learnt", ["before", "after"])
def test_a_branch_named_after_a_known_person(source: object, prefix: str, learnt: str) -> None:
    branch = f"{prefix}/fix-login"
    both = [source, {"gitBranch": branch}] if learnt == "before" else [{"gitBranch": branch}, source]
    text = (
        f"On branch {branch}\n  remotes/origin/{branch} from acme/{branch}\n[{branch} 1a2b3c4] x\n~/trees/{branch}/a.py"
    )
    clean = redacted(*both, text)
    assert f"{prefix}/" not in clean and clean.count("/fix-login") == 5


@pytest.mark.parametrize(
    "text",
    [
        "On branch {}",
        "git checkout -b {}",
        "git switch --create {}",
        "Merge pull request #285 from acme/{}",
        "abc1234\trefs/heads/{}",
        "  remotes/origin/{}",
        "Merge branch 'main' into {}",
        '{{"headRefName": "{}"}}',
        r"{{\"gitBranch\":\"{}\"}}",
        "[{} 1a2b3c4] first",
        "   1a2b3c4..5d6e7f8  main -> {}",
    ],
)
def test_a_branch_that_stands_in_text_alone(text: str) -> None:
    assert "ann" not in redacted("open /home/ann/tool", text.format("ann/fix-login"))


def test_other_branches_of_the_same_person_go_too() -> None:
    assert redacted("open /home/ann/tool", BRANCH, "then ann/speed-up").endswith("/speed-up")
    assert "ann" not in redacted("open /home/ann/tool", BRANCH, "then ann/speed-up")


@pytest.mark.parametrize(
    "folder", ["trees/ann-fix-login/a.py", "trees/ann+fix-login/a.py", "-Users-dev5-trees-ann-fix-login"]
)
def test_a_folder_named_after_the_branch(folder: str) -> None:
    clean = redacted("open /home/ann/tool", BRANCH, folder)
    assert "ann" not in clean and "fix-login" in clean


def test_a_name_before_a_branch_goes_wherever_it_stands_alone() -> None:
    assert "zorvatek" not in redacted(
        "Author: Zorvatek Kim <x@quorvex.io>\n", {"gitBranch": "zorvatek/fix"}, "thoughts/zorvatek/a.md"
    )


def test_a_joined_form_of_a_name_goes_before_branches_only() -> None:
    clean = redacted("Author: Jay Son <x@quorvex.io>\n", {"gitBranch": "json/fix"}, "json/fix, a.json, json")
    assert clean.startswith("person-") and clean.endswith("/fix, a.json, json")


@pytest.mark.parametrize("name", ["Alex", "Zorvatek"])
def test_a_branch_is_rather_the_committers_than_that_of_who_stands_in_settings(name: str) -> None:
    settings = f'author_name = "{name} Kim"\nauthor_email = "someone@example.com"\n'
    commit = f"Author: {name} Kazemune <x@quorvex.io>\n"
    texts = ({"gitBranch": f"{name.lower()}/fix"}, f"{name} Kazemune on {name.lower()}/fix")
    for sources in ((settings, commit), (commit, settings), (settings, *texts, commit)):
        who, _, branch = redacted(*sources, *texts).removesuffix("/fix").partition(" on ")
        assert who == branch and who.startswith("person-")
    assert "person-" in redacted(settings, *texts).rpartition(" on ")[2]


@pytest.mark.parametrize(
    "text",
    [
        "annotations/fix-login and planned, hann/fix-login",
        "src/ann/fix-logout.py stays, so does ann.py",
        "feat/ann-fix",
    ],
)
def test_a_short_name_goes_as_a_whole_segment_only(text: str) -> None:
    assert redacted("open /home/ann/tool", BRANCH, text) == text


@pytest.mark.parametrize("branch", ["feat/fix-login", "ci/cache", "ann/fix-login", "docs/readme"])
def test_a_branch_of_nobody_known_stays(branch: str) -> None:
    text = f"On branch {branch}\n  remotes/origin/{branch}"
    assert redacted("Author: Feat Ci <x@quorvex.io>\n", {"gitBranch": branch}, text) == text


def test_a_name_of_a_person_that_no_branch_bears_stays_a_folder() -> None:
    assert redacted("open /home/ann/tool", "cat ann/readme.md") == "cat ann/readme.md"
