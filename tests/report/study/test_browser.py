"""The study's page in a real browser: two annotators at once, a server that is killed, hostile text."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from swe_together.report.study import prepare, read_answers
from tests.report.study.sessions import HOSTILE, goals, sessions, trial
from tests.support.chromium import Page

pytestmark = pytest.mark.browser
PAIRS = 6


class Server:
    """``swe-together study serve`` as a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start, on the same port as the last time."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "swe_together", "study", "serve", str(self.folder), "--port", str(self.port)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.url = line.rpartition(" ")[2].strip()
        assert self.url.startswith("http://127.0.0.1:"), line
        self.port = int(self.url.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """End it as a crash would."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    real, simulated = sessions(tmp_path, PAIRS)
    prepare(real, simulated, tmp_path / "study", seed=1, labels=["messages", "goals"], goals=goals(1))
    found = Server(tmp_path / "study")
    yield found
    found.kill()


def sign_in(page: Page, server: Server, name: str) -> None:
    page.open(server.url)
    page.type(name)
    page.press("Enter")
    page.until("document.querySelector('.sides') !== null")


def answer(page: Page, key: str) -> None:
    """Choose a session with a key, save with Enter, and wait for the next item."""
    count = page.text("#count")
    page.press(key, "Enter")
    page.until(f"document.querySelector('#count').textContent !== {count!r}")
    page.until("document.querySelector('.sides') !== null && document.querySelector('input:checked') === null")


def test_two_annotators_at_once_by_keyboard(browser: Callable[[], Page], server: Server) -> None:
    anna, bo = browser(), browser()
    sign_in(anna, server, "Anna")
    sign_in(bo, server, "Bo")
    for _ in range(PAIRS):
        answer(anna, "1")
        answer(bo, "2")
    for page in (anna, bo):
        page.until("document.querySelector('#saved').textContent === 'all saved'")
        assert page.text("#count") == f"{PAIRS} of {2 * PAIRS + 1} answered"
        assert page.errors == []
        assert all(url.startswith(server.url) for url in page.requests)
    found, unreadable = read_answers(server.folder)
    assert unreadable == 0
    assert [a.choice for a in found if a.annotator == "Anna"] == ["left"] * PAIRS
    assert [a.choice for a in found if a.annotator == "Bo"] == ["right"] * PAIRS
    assert len({(a.annotator, a.item) for a in found}) == 2 * PAIRS


def test_a_killed_server_loses_nothing(browser: Callable[[], Page], server: Server) -> None:
    page = browser()
    sign_in(page, server, "Anna")
    answer(page, "1")
    page.until("document.querySelector('#saved').textContent === 'all saved'")
    server.kill()
    page.press("2", "Enter")
    page.until("document.querySelector('#saved').textContent.includes('1 answer not saved yet')")
    assert len(read_answers(server.folder)[0]) == 1
    server.start()
    page.until("document.querySelector('#saved').textContent === 'all saved'", 30)
    assert [a.choice for a in read_answers(server.folder)[0]] == ["left", "right"]
    page.open(server.url)
    page.until("document.querySelector('.sides') !== null")
    assert page.text("#count") == f"2 of {2 * PAIRS + 1} answered"
    assert page.text("#who") == "Anna"


def test_an_answer_outlives_page_and_server(browser: Callable[[], Page], server: Server) -> None:
    page = browser()
    sign_in(page, server, "Anna")
    server.kill()
    page.press("1", "Enter")
    page.until("document.querySelector('#saved').textContent.includes('not saved yet')")
    page.send("Page.navigate", url="about:blank")
    server.start()
    page.open(server.url)
    page.until("document.querySelector('#saved').textContent === 'all saved'", 30)
    assert [a.choice for a in read_answers(server.folder)[0]] == ["left"]
    page.until(f"document.querySelector('#count').textContent === '1 of {2 * PAIRS + 1} answered'")


def test_going_back_shows_and_changes_an_answer(browser: Callable[[], Page], server: Server) -> None:
    page = browser()
    sign_in(page, server, "Anna")
    answer(page, "1")
    page.press("k")
    page.until("document.querySelector('input[value=left]')?.checked === true")
    page.press("2", "Enter")
    page.until("document.querySelector('#saved').textContent === 'all saved'")
    page.until("document.querySelector('input:checked') === null")
    found = read_answers(server.folder)[0]
    assert [a.choice for a in found] == ["left", "right"]
    assert len({a.item for a in found}) == 1


def test_labels_of_messages_and_goals(browser: Callable[[], Page], server: Server) -> None:
    page = browser()
    sign_in(page, server, "Anna")
    page.press(*"j" * PAIRS)
    for _ in range(PAIRS):
        page.press("j")
    page.until("document.querySelector('h1').textContent === 'Which goals were met?'")
    assert page.run("document.querySelector('button.main').disabled") is True
    page.run("document.querySelectorAll('.ask input[value=true]').forEach((input) => input.click())")
    page.click("button.main")
    page.until("document.querySelector('#saved').textContent === 'all saved'")
    [found] = read_answers(server.folder)[0]
    assert found.goals == {"works": True, "tidy": True}


def test_hostile_text_is_text(browser: Callable[[], Page], tmp_path: Path) -> None:
    trial(tmp_path / "people", "a__000001", "t/a", "human", [HOSTILE, HOSTILE], reply=HOSTILE)
    trial(tmp_path / "machine", "a__000002", "t/a", "llm", [HOSTILE, HOSTILE], reply=HOSTILE)
    prepare([str(tmp_path / "people")], [str(tmp_path / "machine")], tmp_path / "study", seed=1,
            labels=["messages"])  # fmt: skip
    server = Server(tmp_path / "study")
    try:
        page = browser()
        sign_in(page, server, "<img src=x onerror='window.hacked=1'>")
        assert "<script>window.hacked = 1</script>" in page.text(".side")
        answer(page, "1")
        page.until("document.querySelector('h1').textContent === 'What does each message do?'")
        page.run("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        assert page.run("window.hacked") is None
        assert page.run("document.querySelectorAll('main img, main script').length") == 0
        assert page.errors == []
        assert page.dialogs == []
    finally:
        server.kill()


def test_it_fits_a_phone_and_names_its_parts(browser: Callable[[], Page], server: Server) -> None:
    page = browser()
    page.size(400, 800)
    sign_in(page, server, "Anna")
    assert page.run("document.documentElement.scrollWidth") <= 400
    page.run("document.querySelector('.switch button[data-side=right]').click()")
    assert page.run("getComputedStyle(document.querySelector('.side[data-side=left]')).display") == "none"
    tree = page.send("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if "role" in node}
    for part in (
        ("heading", "Two sessions of one task"), ("radio", "Session 1"), ("radio", "Session 2"),
        ("region", "session 2"), ("progressbar", "answered"), ("group", "Which one has the real user?"),
    ):  # fmt: skip
        assert any(role == part[0] and name.startswith(part[1]) for role, name in named), (part, named)
