"""Makers of personal data: names, addresses, numbers and accounts, each as it would stand in a session."""

import base64
import json
import random
import string
from collections.abc import Callable

from tests.pipeline.privacy.planting import Plant, word


def package_json(dice: random.Random) -> Plant:
    """Persons of one name beside their addresses, and the same name in words and a folder."""
    first, second = word(dice).title(), word(dice).title()
    manifest = {
        "name": "@acme/tool",
        "author": f"{first} <{first.lower()}@{word(dice)}.net>",
        "maintainers": [{"name": second, "url": "https://acme.io", "email": f"{word(dice)}@{word(dice)}.org"}],
    }
    text = json.dumps(manifest, indent=2)
    return Plant(f"{text}\nas {first} said, and {second} too", (first, second))


def forge_user(dice: random.Random) -> Plant:
    login, number = word(dice) + "x77", str(dice.randrange(10**6, 10**8))
    node = base64.b64encode(f"04:User{number}".encode()).decode()
    user = {
        "login": login,
        "id": int(number),
        "node_id": node,
        "avatar_url": f"https://avatars.githubusercontent.com/u/{number}?v=4",
        "html_url": f"https://github.com/{login}",
        "followers_url": f"https://api.github.com/users/{login}/followers{{/other_user}}",
        "type": "User",
    }
    return Plant(json.dumps({"id": 3847052331, "user": user}), (login, number, node))


def iban(dice: random.Random) -> Plant:
    account = "".join(dice.choice(string.digits) for _ in range(18))
    check = 98 - int(account + "131400") % 97
    return Plant(f"please pay to DE{check:02d}{account} by Friday", (f"DE{check:02d}{account}",))


def card(dice: random.Random) -> Plant:
    digits = [5, 2] + [dice.randrange(10) for _ in range(13)]
    total = sum(d if i % 2 else sum(divmod(2 * d, 10)) for i, d in enumerate(digits))
    text = "".join(map(str, [*digits, -total % 10]))
    value = " ".join(text[i : i + 4] for i in range(0, 16, 4))
    return Plant(f"the card {value} was charged twice", (value,))


def email(dice: random.Random) -> Plant:
    value = f"{word(dice)}.{word(dice)}@{word(dice)}.{dice.choice(['com', 'de', 'io', 'co.uk'])}"
    return Plant(f"ask {value} about it", (value,))


def phone(dice: random.Random) -> Plant:
    value = f"+49 {dice.choice(['151', '160', '171', '176'])} {dice.randrange(2 * 10**7, 9 * 10**7)}"
    return Plant(f"call me on {value} if it breaks", (value,))


def phone_bare(dice: random.Random) -> Plant:
    value = f"+1{dice.choice(['212', '415', '646', '303'])}{dice.randrange(220, 540)}{dice.randrange(1000, 9999)}"
    other = f"{dice.choice(['212', '415'])}{dice.randrange(220, 540)}{dice.randrange(1000, 9999)}"
    return Plant(f'send it to {value}, or "phone": "{other}"', (value, other))


def user_keys(dice: random.Random) -> Plant:
    first, second = word(dice), word(dice)
    return Plant(f'$ whoami\n{first}\n{{"username": "{second}", "id": 4}}', (first, second))


def phone_us(dice: random.Random) -> Plant:
    value = f"({dice.choice(['212', '415', '646', '303'])}) {dice.randrange(220, 540)}-{dice.randrange(1000, 9999)}"
    return Plant(f"the office: {value}", (value,))


def home(template: str) -> Callable[[random.Random], Plant]:
    def make(dice: random.Random) -> Plant:
        name = word(dice)
        return Plant(template.format(name=name), (name,))

    return make


def full_name(dice: random.Random) -> Plant:
    first, last = word(dice).title(), word(dice).title()
    return Plant(
        f"Author: {first} {last} <{first.lower()}@{word(dice)}.net>\nDate: Mon\n\nreviewed with {first} {last} today",
        (f"{first} {last}", first.lower()),
    )


def author_settings(dice: random.Random) -> Plant:
    """Persons beside their addresses in TOML, YAML and INI, and one of the names in words."""
    names = [f"{word(dice).title()} {word(dice).title()}" for _ in range(3)]
    mails = [f"{word(dice)}@{word(dice)}.net" for _ in range(3)]
    return Plant(
        f'[metadata]\nauthor_name = "{names[0]}"\nauthor_email = "{mails[0]}"\n'
        f"maintainers:\n  - email: {mails[1]}\n    name: {names[1]}\n"
        f"[user]\n\tname = {names[2]}\n\temail = {mails[2]}\nas {names[0]} said",
        (*names, *mails),
    )


def notice(dice: random.Random) -> Plant:
    """Who holds the copyright, where a home path is the same name joined."""
    first, last = word(dice).title(), word(dice).title()
    home = dice.choice(["", ".", "_"]).join((first, last)).lower()
    return Plant(
        f"Copyright (c) 2026 {first} {last}\nPermission is hereby granted\ncd /Users/{home}/code",
        (f"{first} {last}", home),
    )


def user_elsewhere(dice: random.Random) -> Plant:
    name = word(dice)
    return Plant(
        f"cd /Users/{name}/code\n{name}@studio ~ % ls -la\n-rw-r--r--  1 {name}  staff  120 Mar  2 10:00 a.txt\n"
        f"branch {name}/fix-login and ~/.claude/projects/-Users-{name}-code-tool/x.jsonl",
        (name,),
    )


def host(dice: random.Random) -> Plant:
    name = word(dice).title()
    return Plant(f"{name}s-MacBook-Pro.local is up", (f"{name}s-MacBook-Pro",))


def public_ip(dice: random.Random) -> Plant:
    value = (
        f"{dice.choice([51, 78, 94, 185])}.{dice.randrange(20, 99)}.{dice.randrange(20, 250)}.{dice.randrange(2, 250)}"
    )
    return Plant(f"ssh deploy@{value} and connect to {value}:5432", (value,))
