"""What every plant is made of: random words and characters, tokens and keys."""

import base64
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
