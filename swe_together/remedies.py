"""What to do about faults that Docker, a registry or the machine reports in words of its own."""

import re
from typing import Final

_REMEDIES: Final = (
    (
        r"toomanyrequests|429 Too Many Requests|pull rate limit",
        "The registry limits how much it serves: `docker login`, name a mirror under `registry-mirrors` in the "
        "engine's daemon.json, or have `make setup` build the base image here.",
    ),
    (
        r"no space left on device|disk quota exceeded",
        "The disk is full: `swe-together clean`, then `docker system prune`.",
    ),
    (
        r"exec format error|no match(ing manifest)? for (platform|linux/)|does not match the (detected|specified) "
        r".{0,40}platform",
        "The image is of another processor than the engine: remove it with `docker rmi`, and have it built or pulled "
        "for this machine.",
    ),
    (
        r"permission denied.{0,80}docker\.sock",
        'Join the group: sudo usermod -aG docker "$USER", then log in again.',
    ),
    (
        r"Cannot connect to the Docker daemon|Is the docker daemon running",
        "No Docker engine answers: `swe-together doctor` says how to get one.",
    ),
)


def remedy_of(text: str) -> str:
    """The remedy of the first fault that a message tells of; empty where none is known."""
    return next((remedy for pattern, remedy in _REMEDIES if re.search(pattern, text, re.IGNORECASE | re.DOTALL)), "")


def with_remedy(text: str) -> str:
    """A message with its remedy at the end, where there is one."""
    remedy = remedy_of(text)
    return f"{text.rstrip()} {remedy}" if remedy and remedy not in text else text
