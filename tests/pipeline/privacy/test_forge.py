"""What stands beside a login that is replaced goes with it: the account's number, node and avatar."""

import base64
import json
from typing import Any

import pytest

from swe_together.pipeline.privacy import Policy, Redactor, Salt

SALT = Salt(b"0123456789abcdef0123456789abcdef")
NUMBER = 48351934
NODE = base64.b64encode(f"04:User{NUMBER}".encode()).decode()
USER = {
    "login": "zorvatek77",
    "id": NUMBER,
    "node_id": NODE,
    "avatar_url": f"https://avatars.githubusercontent.com/u/{NUMBER}?v=4",
    "gravatar_id": "5d41402abc4b2a76b9719d911017c592",
    "url": "https://api.github.com/users/zorvatek77",
    "html_url": "https://github.com/zorvatek77",
    "following_url": "https://api.github.com/users/zorvatek77/following{/other_user}",
    "name": "Tibor",
    "type": "User",
    "plan": {"name": "Gold Plan", "id": 4242, "node_id": "PL_kgDO"},
    "site_admin": False,
}
COMMENT = {
    "id": 3847052331,
    "node_id": "IC_kwDOQyo98M7lTVwr",
    "user": USER,
    "body": "fine",
    "author_association": "MEMBER",
}
GONE = ("zorvatek77", str(NUMBER), NODE, "5d41402abc4b2a76b9719d911017c592", "Tibor")


def redacted(value: object, policy: Policy | None = None) -> Any:
    return Redactor(SALT, policy).json(value).value


@pytest.mark.parametrize("indent", [None, 2])
def test_an_account_in_text_as_in_parsed_json(indent: int | None) -> None:
    parsed = redacted(COMMENT)
    assert json.loads(redacted(json.dumps(COMMENT, indent=indent))) == parsed
    assert not [value for value in GONE if value in json.dumps(parsed)]


def test_accounts_within_accounts_go_each_by_itself() -> None:
    value = {**USER, "login": "kimolaze", "id": 51, "parent": USER, "node_id": "MDQ6VXNlcjUx"}
    clean = redacted(json.dumps(value))
    assert json.loads(clean) == redacted(value)
    assert not [gone for gone in (*GONE, "kimolaze", "MDQ6VXNlcjUx") if gone in clean]


def test_numbers_stay_numbers_and_what_is_no_persons_stays() -> None:
    clean = redacted(COMMENT)
    user = clean.pop("user")
    assert clean == {key: value for key, value in COMMENT.items() if key != "user"}
    assert isinstance(user["id"], int) and 900000000000000 <= user["id"] < 900001000000000
    assert user["avatar_url"] == f"https://avatars.githubusercontent.com/u/{user['id']}?v=4"
    assert user["html_url"] == f"https://github.com/{user['login']}"
    assert user["plan"] == USER["plan"]
    assert user["type"] == "User" and user["site_admin"] is False


@pytest.mark.parametrize(
    "value",
    [
        {"author": {"id": NODE, "login": "zorvatek77", "name": "Tibor Kazemune"}},
        {"author": {"id": "U_kgDOAuG1Xg", "is_bot": False, "login": "zorvatek77"}},
        {"id": NUMBER, "username": "zorvatek77", "web_url": "https://gitlab.com/zorvatek77", "name": "Tibor Kazemune"},
        {"login": "ann", "id": NUMBER, "html_url": "https://github.com/ann", "node_id": NODE},
    ],
)
@pytest.mark.parametrize("text", [False, True])
def test_other_answers_of_forges(value: object, text: bool) -> None:
    clean = json.dumps(redacted(json.dumps(value) if text else value))
    gone = (*GONE, "Kazemune", "U_kgDOAuG1Xg", '"ann"', "/ann")
    assert not [value for value in gone if value in clean.replace("\\", "")]


def test_the_number_goes_from_where_it_is_an_accounts_number() -> None:
    clean = redacted(
        [COMMENT, f"![](https://avatars.githubusercontent.com/u/{NUMBER})", f'"author_id": {NUMBER}', f"{NUMBER} bytes"]
    )
    assert [str(NUMBER) in text for text in clean[1:]] == [False, False, True]


def test_a_kept_login_keeps_what_is_beside_it() -> None:
    assert redacted(COMMENT | {"user": {**USER, "name": "x"}}, Policy(keep=("zorvatek77",)))["user"]["id"] == NUMBER
    owned = redacted(json.dumps(COMMENT), Policy(repositories=("zorvatek77/tool",)))
    assert str(NUMBER) in owned and NODE in owned


def test_a_programs_own_user_keeps_its_number() -> None:
    value = {"id": 351934, "username": "zorvatek77", "role": "admin"}
    assert redacted(value)["id"] == 351934
    assert '"id": 351934' in redacted(json.dumps(value))
