"""Secrets and personal data made up at random, each in a context of its own; no value comes from a scanner's samples.

``PLANTS`` maps a kind to a maker. A maker takes a random source and gives a ``Plant``: a snippet as it would stand
in a session, and the values of which nothing may survive.
"""

import base64
import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
B64 = ALNUM + "+/"
URLSAFE = ALNUM + "-_"


@dataclass(frozen=True, slots=True)
class Plant:
    """``text`` holds every one of ``values``."""

    text: str
    values: tuple[str, ...]


def some(dice: random.Random, alphabet: str, length: int) -> str:
    """``length`` random characters: digits and letters where the alphabet has both, and no symbol at the ends."""
    both = any(c.isdigit() for c in alphabet) and any(c.isalpha() for c in alphabet)
    while True:
        text = "".join(dice.choice(alphabet) for _ in range(length))
        mixed = any(c.isdigit() for c in text) and any(c.isalpha() for c in text)
        if (mixed or not both) and text[0].isalnum() and text[-1].isalnum():
            return text


def word(dice: random.Random) -> str:
    """A pronounceable word that is in no dictionary."""
    return "".join(dice.choice("bdfgklmnprtvz") + dice.choice("aeiou") for _ in range(4))


def b64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(prefix: str, alphabet: str, length: int, context: str = "use {} for now") -> Callable[[random.Random], Plant]:
    def make(dice: random.Random) -> Plant:
        value = prefix + some(dice, alphabet, length)
        return Plant(context.format(value), (value,))

    return make


def pem(dice: random.Random, label: str = "RSA PRIVATE KEY") -> tuple[str, tuple[str, ...]]:
    lines = [some(dice, B64, 64) for _ in range(12)] + [some(dice, B64, 30)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----"]), tuple(lines)


def aws(dice: random.Random) -> Plant:
    key, secret = "AKIA" + some(dice, string.ascii_uppercase + string.digits, 16), some(dice, B64, 40)
    return Plant(f"[default]\naws_access_key_id = {key}\naws_secret_access_key = {secret}\n", (key, secret))


def gcp(dice: random.Random) -> Plant:
    text, lines = pem(dice, "PRIVATE KEY")
    account = {
        "type": "service_account",
        "project_id": "billing-prod",
        "private_key_id": some(dice, HEX, 40),
        "private_key": text + "\n",
        "client_email": f"{word(dice)}@billing-prod.iam.gserviceaccount.com",
    }
    return Plant(json.dumps(account, indent=2), (account["private_key_id"], account["client_email"], *lines))


def azure(dice: random.Random) -> Plant:
    value = some(dice, B64, 86) + "=="
    return Plant(
        f"DefaultEndpointsProtocol=https;AccountName=store1;AccountKey={value};EndpointSuffix=core.windows.net",
        (value,),
    )


def telegram(dice: random.Random) -> Plant:
    value = f"{dice.randrange(10**9, 10**10)}:AA{some(dice, URLSAFE, 33)}"
    return Plant(f"curl https://api.telegram.org/bot{value}/getMe", (value,))


def discord(dice: random.Random) -> Plant:
    value = f"{b64url(str(dice.randrange(10**17, 10**18)).encode())}.{some(dice, ALNUM, 6)}.{some(dice, URLSAFE, 38)}"
    return Plant(f'client.login("{value}")', (value,))


def jwt(dice: random.Random) -> Plant:
    head = b64url(b'{"alg":"HS256","typ":"JWT"}')
    body = b64url(json.dumps({"sub": some(dice, string.digits, 9), "name": word(dice)}).encode())
    value = f"{head}.{body}.{some(dice, URLSAFE, 43)}"
    return Plant(f"id_token {value} expired", (value,))


def private_key(dice: random.Random) -> Plant:
    text, lines = pem(dice)
    return Plant(f"$ cat server.key\n{text}\n$", lines)


def ssh_key(dice: random.Random) -> Plant:
    text, lines = pem(dice, "OPENSSH PRIVATE KEY")
    return Plant(text, lines)


def postgres(dice: random.Random) -> Plant:
    value = some(dice, ALNUM, 14)
    return Plant(f"DATABASE_URL=postgresql://app:{value}@db.internal.acme.io:5432/app?sslmode=require", (value,))


def mongo(dice: random.Random) -> Plant:
    value = some(dice, ALNUM + "-_", 16)
    return Plant(f"mongodb+srv://svc_orders:{value}@cluster0.ab1cd.mongodb.net/orders", (value,))


def basic_url(dice: random.Random) -> Plant:
    value = some(dice, ALNUM, 12)
    return Plant(f"pip install --index-url https://deploy:{value}@pypi.acme.io/simple tool", (value,))


def basic_header(dice: random.Random) -> Plant:
    password = some(dice, ALNUM, 14)
    value = base64.b64encode(f"svc:{password}".encode()).decode()
    return Plant(f"Authorization: Basic {value}", (value, password))


def env_file(dice: random.Random) -> Plant:
    first, second = some(dice, ALNUM, 24), some(dice, ALNUM + "!#%&*", 13)
    return Plant(f"DEBUG=1\nSESSION_SECRET={first}\nSMTP_PASSWORD='{second}'\nPORT=8080\n", (first, second))


def netrc(dice: random.Random) -> Plant:
    value = some(dice, ALNUM, 15)
    return Plant(f"machine api.acme.io\n  login deployer\n  password {value}\n", (value,))


def cookie(dice: random.Random) -> Plant:
    first, second = some(dice, URLSAFE, 40), some(dice, HEX, 32)
    return Plant(f"Cookie: theme=dark; sessionid={first}; csrftoken={second}", (first, second))


def set_cookie(dice: random.Random) -> Plant:
    value = some(dice, URLSAFE, 44)
    return Plant(f"< Set-Cookie: connect.sid=s%3A{value}; Path=/; HttpOnly", (value,))


def cookie_json(dice: random.Random) -> Plant:
    """Cookies whose names tell nothing, as an answer's headers are printed."""
    first, second = (
        f"{some(dice, URLSAFE, 43)}-1773837099.325349-1.0.1.1-{some(dice, URLSAFE, 43)}",
        some(dice, HEX, 24),
    )
    headers = {
        "content-type": "text/html",
        "set-cookie": [f"_cfuvid={first}; HttpOnly; Secure; Path=/", f"zx={second}; Path=/"],
        "date": "Wed, 18 Mar 2026 12:31:20 GMT",
    }
    return Plant(json.dumps({"status": 503, "headers": headers}, indent=2), (first, second))


def cookie_pairs(dice: random.Random) -> Plant:
    first, second, third = some(dice, ALNUM, 28), some(dice, URLSAFE, 32), some(dice, ALNUM, 20)
    pairs = json.dumps(["Date", "Wed, 18 Mar 2026", "Set-Cookie", f"pref_id={first}; Max-Age=31536000"])
    har = json.dumps({"name": "cookie", "value": f"theme=dark; q7={second}"})
    return Plant(f"{pairs}\n{har}\ncurl -s -b 'k1={third}' https://api.acme.io", (first, second, third))


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


def authorization_key(dice: random.Random) -> Plant:
    value = "dev_" + some(dice, ALNUM, 60)
    return Plant(f"curl --header 'Authorization: api-key={value}' https://api.acme.io", (value,))


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


def json_credentials(dice: random.Random) -> Plant:
    value, other = some(dice, ALNUM, 20), some(dice, ALNUM + "!$", 12)
    return Plant(json.dumps({"user": "svc", "password": other, "client_secret": value}), (value, other))


def stripe(dice: random.Random) -> Plant:
    first, second = "sk_live_" + some(dice, ALNUM, 24), "whsec_" + some(dice, ALNUM, 32)
    return Plant(f"stripe.api_key = '{first}'\nendpoint_secret = '{second}'", (first, second))


def twilio(dice: random.Random) -> Plant:
    first, second = "SK" + some(dice, HEX, 32), some(dice, HEX, 32)
    return Plant(f"TWILIO_API_KEY={first}\nTWILIO_AUTH_TOKEN={second}", (first, second))


def slack(dice: random.Random) -> Plant:
    first = f"xoxb-{dice.randrange(10**11, 10**12)}-{dice.randrange(10**12, 10**13)}-{some(dice, ALNUM, 24)}"
    upper = string.ascii_uppercase + string.digits
    path = f"T{some(dice, upper, 8)}/B{some(dice, upper, 10)}/{some(dice, ALNUM, 24)}"
    return Plant(f"SLACK={first}\nhttps://hooks.slack.com/services/{path}", (first, path))


PLANTS: dict[str, Callable[[random.Random], Plant]] = {
    "aws": aws,
    "gcp-service-account": gcp,
    "gcp-api-key": token("AIza", URLSAFE, 35, "maps key {}"),
    "azure-storage": azure,
    "azure-client-secret": token("", ALNUM + "~_.-", 40, "AZURE_CLIENT_SECRET={}"),
    "github-classic": token("ghp_", ALNUM, 36, "git clone https://{}@github.com/acme/tool"),
    "github-fine-grained": token("github_pat_", ALNUM, 22 + 60),
    "github-app": token("ghs_", ALNUM, 36),
    "gitlab": token("glpat-", URLSAFE, 20),
    "npm": token("npm_", ALNUM, 36, "//registry.npmjs.org/:_authToken={}"),
    "pypi": token("pypi-AgEIcHlwaS5vcmc", URLSAFE, 150, "password = {}"),
    "slack": slack,
    "discord": discord,
    "telegram": telegram,
    "stripe": stripe,
    "twilio": twilio,
    "sendgrid": lambda dice: token(f"SG.{some(dice, ALNUM, 22)}.", URLSAFE, 43)(dice),
    "anthropic": token("sk-ant-api03-", URLSAFE, 93, "export ANTHROPIC_API_KEY={}AA"),
    "openai": token("sk-proj-", URLSAFE, 120, "OPENAI_API_KEY={}"),
    "openai-old": token("sk-", ALNUM, 48),
    "openrouter": token("sk-or-v1-", HEX, 64),
    "huggingface": token("hf_", ALNUM, 34),
    "groq": token("gsk_", ALNUM, 52),
    "digitalocean": token("dop_v1_", HEX, 64),
    "jwt": jwt,
    "private-key": private_key,
    "ssh-key": ssh_key,
    "postgres-url": postgres,
    "mongo-url": mongo,
    "basic-auth-url": basic_url,
    "basic-auth-header": basic_header,
    "bearer": token("", URLSAFE, 43, "curl -H 'Authorization: Bearer {}' https://api.acme.io"),
    "api-key-header": token("", HEX, 40, "X-Api-Key: {}"),
    "env-file": env_file,
    "netrc": netrc,
    "json-credentials": json_credentials,
    "command-flag": token("", ALNUM, 18, "mycli login --user svc --password {} --yes"),
    "cookie": cookie,
    "set-cookie": set_cookie,
    "cookie-json": cookie_json,
    "cookie-pairs": cookie_pairs,
    "package-json": package_json,
    "forge-user": forge_user,
    "authorization-key": authorization_key,
    "iban": iban,
    "card": card,
    "email": email,
    "phone": phone,
    "phone-us": phone_us,
    "phone-bare": phone_bare,
    "user-keys": user_keys,
    "home-linux": home("open /home/{name}/work/tool/main.py"),
    "home-macos": home("at /Users/{name}/Library/Caches/x"),
    "home-windows": home("in C:\\Users\\{name}\\source\\repos\\tool"),
    "home-wsl": home("see /mnt/c/Users/{name}/Desktop and \\\\wsl$\\Ubuntu\\home\\{name}\\x"),
    "full-name": full_name,
    "author-settings": author_settings,
    "notice": notice,
    "user-elsewhere": user_elsewhere,
    "host": host,
    "public-ip": public_ip,
}
