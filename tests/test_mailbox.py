"""Requests and answers as files: oldest first, each answered once, and nobody waits for one who is gone."""

import os
import threading
from pathlib import Path

import pytest

from swe_together.errors import TogetherError
from swe_together.mailbox import Mailbox, read_request


@pytest.fixture
def mailbox(tmp_path: Path) -> Mailbox:
    box = Mailbox(tmp_path / "box")
    box.open()
    return box


def serve(mailbox: Mailbox, answer: dict[str, object]) -> threading.Thread:
    def once() -> None:
        while not mailbox.requests():
            pass
        (request,) = mailbox.requests()
        mailbox.answer(request, {"asked": read_request(request), **answer})

    thread = threading.Thread(target=once)
    thread.start()
    return thread


def test_a_request_is_answered_once(mailbox: Mailbox) -> None:
    thread = serve(mailbox, {"good": True})
    assert mailbox.ask({"what": "ü"}, 10) == {"asked": {"what": "ü"}, "good": True}
    thread.join()
    assert mailbox.requests() == []


def test_an_error_is_raised(mailbox: Mailbox) -> None:
    thread = serve(mailbox, {"error": "not now"})
    with pytest.raises(TogetherError, match="the session refused: not now"):
        mailbox.ask({}, 10)
    thread.join()


@pytest.mark.parametrize(("wait", "alive"), [(0.1, True), (60.0, False)])
def test_nobody_waits_for_ever(mailbox: Mailbox, wait: float, alive: bool) -> None:
    with pytest.raises(TogetherError, match="doesn't answer"):
        mailbox.ask({}, wait, lambda: alive)


def test_the_oldest_request_comes_first(mailbox: Mailbox) -> None:
    for age, name in enumerate(["b", "a", "c"]):
        path = mailbox.folder / "inbox" / f"{name}.json"
        path.write_text("{}")
        os.utime(path, ns=(age, age))
    assert [path.stem for path in mailbox.requests()] == ["b", "a", "c"]


def test_what_is_no_json_is_named(mailbox: Mailbox) -> None:
    path = mailbox.folder / "inbox" / "x.json"
    path.write_bytes(b"\xff")
    with pytest.raises(ValueError, match="the request is not JSON"):
        read_request(path)
