"""Keys in evidence: by their form, and by the values that this machine's own variables have."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

FORMS: Final = {
    "a key of a model's provider": rb"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}",
    "a token of GitHub": rb"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22,})",
    "a key of AWS": rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "a key of Google": rb"\bAIza[0-9A-Za-z_-]{35}",
    "a token of Hugging Face": rb"\bhf_[A-Za-z0-9]{34}",
    "a token of Slack": rb"\bxox[abprs]-[0-9A-Za-z-]{10,}",
    "a private key": rb"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----",
}
_ANY: Final = re.compile(b"|".join(b"(%s)" % form for form in FORMS.values()))
_VARIABLE: Final = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
MIN_CHARS: Final = 12
"""A variable with a shorter value is no secret that could be told from other text."""


def find_secrets(data: bytes, variables: Mapping[str, str]) -> Iterator[str]:
    """What looks like a secret and in which line; never the secret itself.

    Args:
        data: A file.
        variables: The environment: values of variables whose names speak of secrets must not stand in the file.
    """
    for match in _ANY.finditer(data):
        kind = list(FORMS)[(match.lastindex or 1) - 1]
        yield f"{kind} in line {data.count(10, 0, match.start()) + 1}"
    for name, value in sorted(variables.items()):
        if _VARIABLE.search(name) and len(value) >= MIN_CHARS:
            place = data.find(value.encode("utf-8", "surrogateescape"))
            if place >= 0:
                yield f"the value of the variable {name} in line {data.count(10, 0, place) + 1}"
