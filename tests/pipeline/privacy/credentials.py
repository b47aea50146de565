"""Makers of secrets: keys, tokens, passwords and cookies, each as it would stand in a session."""

import base64
import json
import random
import string

from tests.pipeline.privacy.planting import ALNUM, B64, HEX, URLSAFE, Plant, b64url, pem, some, word


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


def authorization_key(dice: random.Random) -> Plant:
    value = "dev_" + some(dice, ALNUM, 60)
    return Plant(f"curl --header 'Authorization: api-key={value}' https://api.acme.io", (value,))


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
