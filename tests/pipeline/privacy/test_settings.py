"""Names right beside a key for their mail address in TOML, YAML and INI; and packages, teams and examples that stay."""

import pytest

from swe_together.pipeline.privacy import Redactor, Salt
from tests.pipeline.privacy.wrapping import WRAPPINGS, survivors

NAME, MAIL = "Tibor Kazemune", "t.k@kazemune.org"


def redacted(text: str, *more: str) -> list[str]:
    clean: list[str] = Redactor(Salt(b"0123456789abcdef0123456789abcdef")).json([text, *more]).value
    return clean


BESIDE = {
    "TOML": f'[metadata]\nauthor_name = "{NAME}"\nauthor_email = "{MAIL}"\ndifficulty = "easy"\n',
    "TOML, mail first": f'[metadata]\nauthor_email = "{MAIL}"\nauthor_name = "{NAME}"\n',
    "TOML, table of persons": f"[[maintainers]]\nname = '{NAME}'\nemail = '{MAIL}'\n",
    "TOML, masked address": f'author_name = "{NAME}"\nauthor_email = "someone@example.com"\n',
    "TOML, comment": f'author_name = "{NAME}"  # me\nauthor_email = "{MAIL}" # mine\n',
    "YAML": f"maintainer: {NAME}\nemail: {MAIL}\n",
    "YAML, item": f"maintainers:\n  - name: {NAME}\n    email: {MAIL}\n  - name: x\n",
    "YAML, item, mail first": f"maintainers:\n  - email: {MAIL}\n    name: {NAME}\n",
    "YAML, quoted": f"author:\n  name: '{NAME}'\n  email: \"{MAIL}\"\n",
    "YAML, in one line": f"author: {{name: {NAME}, email: {MAIL}}}\n",
    "YAML, removed in a diff": f"-maintainers:\n-  - name: {NAME}\n-    email: {MAIL}\n",
    "INI": f"[user]\n\tname = {NAME}\n\temail = {MAIL}\n[core]\n\tautocrlf = input\n",
    "INI, CRLF": f"[user]\r\nname={NAME}\r\nemail={MAIL}\r\n",
    "setup.cfg": f"[metadata]\nname = tool\nauthor = {NAME}\nauthor_email = {MAIL}\n",
    "setup.py": f'setup(\n    name="tool",\n    author="{NAME}",\n    author_email="{MAIL}",\n)',
    "setup.py, in one line": f'setup(name="tool", author="{NAME}", author_email="{MAIL}")',
    "metadata of a package": f"Name: tool\nHome-page: https://tool.io\nAuthor: {NAME}\nAuthor-email: {MAIL}\n",
    "environment": f'export CI_COMMITTER_NAME="{NAME}"\nexport CI_COMMITTER_EMAIL="{MAIL}"\n',
    "gemspec": f'  spec.authors = ["{NAME}"]\n  spec.email = ["{MAIL}"]\n',
    "numbered lines": f'     9→author_name = "{NAME}"\n    10→author_email = "{MAIL}"\n',
    "found by grep": f'task.toml:9:author_name = "{NAME}"\ntask.toml:10:author_email = "{MAIL}"\n',
    "found by grep, no numbers": f'a/task.toml:author_name = "{NAME}"\na/task.toml:author_email = "{MAIL}"\n',
    "comment": f"# author_name: {NAME}\n# author_email: {MAIL}\n",
    "last name first": f"author_name: Kazemune, Tibor\nauthor_email: {MAIL}\nThanks, Tibor\n",
    "camel case": f"committerName: {NAME}\ncommitterEmail: {MAIL}\n",
    "at a string's beginning": f'run("author_name = {NAME}\\nauthor_email = {MAIL}")',
}


@pytest.mark.parametrize("text", BESIDE.values(), ids=BESIDE)
def test_a_name_beside_a_mail_address(text: str) -> None:
    clean = redacted(text)[0]
    assert "Tibor" not in clean and "Kazemune" not in clean and "kazemune" not in clean and "person-" in clean
    assert "tool" not in text or "tool" in clean


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("kind", ["TOML", "TOML, mail first", "YAML, item", "INI"])
def test_in_any_wrapping(kind: str, wrapping: str) -> None:
    assert not survivors(redacted(WRAPPINGS[wrapping](BESIDE[kind]))[0], [NAME, MAIL])


@pytest.mark.parametrize(
    "name", ["Jean-Luc de la Fontane", "Siobhán O'Kazemune", "Мария Петрова", "田中太郎", "J. R. Kazemune"]
)
def test_other_names(name: str) -> None:
    assert name not in redacted(f"- name: {name}\n  email: x7@kazemune.org\n")[0]


def test_the_name_goes_from_elsewhere_too() -> None:
    clean = redacted(BESIDE["TOML"], f"thanks, {NAME}. On Tibor's branch", "© 2026 Tibor Kazemune")
    assert "Tibor" not in "".join(clean) and "".join(clean).count("person-") == 4


def test_one_word_is_a_name_under_author_or_where_the_address_says_so() -> None:
    assert "Zorvatek" not in redacted("author: Zorvatek\nauthor_email: z@quorvex.io\n")[0]
    assert "Zorvatek" not in redacted("name: Zorvatek\nemail: zorvatek@quorvex.io\n")[0]
    assert "Zorvatek" in redacted("name: Zorvatek\nemail: z@quorvex.io\n")[0]


def test_several_authors_of_one_address() -> None:
    clean = redacted(f'authors = ["{NAME}", "Jo Kim"]\nemail = "{MAIL}"\n')[0]
    assert "Tibor" not in clean and "Jo Kim" not in clean


STAYS = {
    "far from the address": f"[project]\nname = \"Quick Tool\"\nversion = '1.0'\n\n[x]\nemail = '{MAIL}'\n",
    "one line between": f"name: Quick Tool\nversion: 1.0\nemail: {MAIL}\n",
    "empty line between": f"name: Quick Tool\n\nemail: {MAIL}\n",
    "another table's": f'[project]\nname = "Quick Tool"\n[contact]\nemail = "{MAIL}"\n',
    "further out": f"author:\n  email: {MAIL}\nname: Quick Tool\n",
    "the next item's": f"- email: {MAIL}\n- name: Quick Tool\n",
    "package beside the author's address": f'name="tool-kit",\nauthor_email="{MAIL}",\n',
    "package in small letters": f"name = toolkit\nemail = {MAIL}\n",
    "key for something else": f"package_name: Quick Tool\nauthor_email: {MAIL}\nhost_name: Quick Box\n",
    "no address": "author_name = Tibor Kazemune\nauthor_email = none\n",
    "code": f'authorName := "Alice Sample"\nauthorEmail := "{MAIL}"\n',
    "types": "author_name: Optional[str]\nauthor_email: Optional[str]\n",
}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_what_is_no_persons_stays(text: str) -> None:
    assert "person-" not in redacted(text)[0]


@pytest.mark.parametrize(
    ("name", "mail"),
    [
        ("Quorvex Team", "jo@quorvex.io"),
        ("Quorvex Inc.", "jo@quorvex.io"),
        ("The Quorvex Authors", "jo@quorvex.io"),
        ("renovate[bot]", "29139614+renovate[bot]@users.noreply.github.com"),
        ("GitHub Actions", "actions@github.com"),
        ("Release Bot", "jo@quorvex.io"),
        ("Quorvex Support", "support@quorvex.io"),
        ("Your Name", "you@example.com"),
        ("Carla Jones", "carla@example.com"),
        ("Jane Doe", "jane.d@quorvex.io"),
        ("Alice Sample", "someone@example.com"),
        ("Alice Developer", "someone@example.com"),
        ("${AUTHOR}", "jo@quorvex.io"),
        ("quorvex.io", "jo@quorvex.io"),
    ],
)
def test_teams_bots_and_examples_stay(name: str, mail: str) -> None:
    for text in (f'author_name = "{name}"\nauthor_email = "{mail}"\n', f"- name: {name}\n  email: {mail}\n"):
        assert "person-" not in redacted(text)[0]
