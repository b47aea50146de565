"""What engines and registries say, and what is to be done about it."""

import pytest

from swe_together.remedies import remedy_of, with_remedy

SAID = {
    "Error response from daemon: toomanyrequests: You have reached your pull rate limit.": "docker login",
    "failed to resolve source metadata for docker.io/library/debian: 429 Too Many Requests": "registry-mirrors",
    "write /var/lib/docker/tmp/x: no space left on device": "swe-together clean",
    "exec /bin/sh: exec format error": "docker rmi",
    "no matching manifest for linux/arm64/v8 in the manifest list entries": "another processor",
    "dial unix /var/run/docker.sock: permission denied while talking to docker.sock": "usermod",
    "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock": "usermod",
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?": "doctor",
}


@pytest.mark.parametrize("text", SAID)
def test_what_an_engine_says_has_its_remedy(text: str) -> None:
    assert SAID[text] in remedy_of(text)
    told = with_remedy(f"{text}\n")
    assert told == f"{text} {remedy_of(text)}"
    assert with_remedy(told) == told, "said once"


@pytest.mark.parametrize("text", ["", "AgentSetupTimeoutError: 360 s", "port 4290", "the model gave no usable answer"])
def test_anything_else_stays_as_it_is(text: str) -> None:
    assert with_remedy(text) == text
