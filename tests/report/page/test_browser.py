"""The page in a real browser, opened as a file: no error, no network, filters, sessions, keys, hostile text."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from swe_together.report import leaderboard, read_table
from swe_together.report.page import write_page
from tests.report.page.hostile import EVIL, write_broken, write_hostile
from tests.support.chromium import Page
from tests.support.jobs import Spec, write_job

pytestmark = pytest.mark.browser
TASKS, MODELS = 60, 3
OPEN = "document.querySelector('#session:not([hidden]) .talk, #session:not([hidden]) [role=alert]') !== null"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("page")
    specs = [
        Spec(
            task=f"swe-together/task-{task:02}", model=f"maker/model-{model}", minute=task, judge=0.9, basis="judge",
            judge_model="maker/judge", language="go" if task < 20 else "python",
            reward=(task * 7 + model * 31) % 100 / 100,
            repository=f"pypi:r{task % 9}", messages=[["request"]] * (1 + (task + model) % 4),
        )
        for task in range(TASKS)
        for model in range(MODELS)
    ]  # fmt: skip
    specs[0] = replace(specs[0], arm="full-spec", messages=[], coverage=None)
    table = read_table([write_job(found / "job", specs)], cache_at=None)
    write_page(table, leaderboard(table, by=["language"]), found / "out")
    return found / "out"


@pytest.fixture
def page(browser: Callable[[], Page], folder: Path) -> Page:
    found = browser()
    found.size(1280, 900)
    found.open((folder / "index.html").as_uri())
    return found


def rows(page: Page) -> int:
    return int(page.run("document.querySelectorAll('#trials tbody tr').length"))


def choose(page: Page, label: str, value: str) -> None:
    page.run(
        f"(() => {{ const select = [...document.querySelectorAll('.filters label')].find((one) => "
        f"one.textContent.startsWith({label!r})).querySelector('select'); select.value = {value!r}; "
        "select.dispatchEvent(new Event('change')); })()"
    )


def test_it_loads_without_error_or_network(page: Page, folder: Path) -> None:
    page.until("document.querySelectorAll('#charts figure').length === 4")
    assert page.errors == []
    assert page.requests == [(folder / "index.html").as_uri()]
    assert f"{TASKS * MODELS} trials of {TASKS} tasks" in page.text("#leaderboard")
    assert page.run("document.querySelectorAll('table.board tbody tr').length") == MODELS + 1
    assert page.run("document.querySelectorAll('table.heatmap tbody tr').length") == TASKS
    page.run("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    page.until("document.querySelectorAll('figure table').length === 4")
    assert page.errors == []


def test_filters(page: Page) -> None:
    assert rows(page) == 100
    page.click("#trials > button")
    assert rows(page) == TASKS * MODELS
    choose(page, "language", "go")
    assert rows(page) == 60
    assert page.run("document.querySelectorAll('table.heatmap tbody tr').length") == 20
    choose(page, "model", "maker/model-2")
    assert rows(page) == 20
    assert page.run("document.querySelectorAll('table.heatmap thead th').length") == 2
    assert page.text("#filters p").startswith("20 trials; mean reward 0.")
    page.press("/")
    page.type("task-07")
    assert rows(page) == 1
    page.click("#filters button")
    assert rows(page) == 100
    choose(page, "arm", "full-spec")
    assert rows(page) == 1


def test_a_session_opens_by_keyboard_and_closes_again(page: Page, folder: Path) -> None:
    page.press("/")
    page.type("model-1 task-3")
    page.press("Escape", "j", "j")
    task = page.run("document.activeElement.textContent")
    assert task.startswith("task-3")
    page.press("Enter")
    page.until(OPEN)
    assert page.text("#session h1") == task
    assert page.run("document.activeElement.tagName") == "H1", "a screen reader begins at the heading"
    text = page.text("#session")
    for words in ("please do one", "message 1", "The user says something", "Goals", "Tests:"):
        assert words in text
    page.press("j")
    page.until(f"document.querySelector('#session h1').textContent !== {task!r}")
    page.press("k")
    page.until(f"document.querySelector('#session h1').textContent === {task!r}")
    page.until(OPEN)
    page.press("Escape")
    page.until("document.querySelector('#session').hidden")
    assert page.run("document.activeElement.textContent") == task, "the focus is where it was"
    assert page.errors == []
    side = (folder / "sessions").as_uri()
    assert all(url.startswith(side) for url in page.requests[1:])


def test_the_address_of_a_session_can_be_kept(page: Page, folder: Path) -> None:
    page.open((folder / "index.html").as_uri() + "#session-5")
    page.until(OPEN)
    assert "please do one" in page.text("#session")
    page.run("history.back()")


def test_cells_of_the_map_lead_to_their_sessions(page: Page) -> None:
    page.run("document.querySelector('table.heatmap td button').click()")
    page.until(OPEN)
    assert page.errors == []


def test_what_is_missing_is_said(page: Page, folder: Path) -> None:
    page.run("location.hash = 'session-99999'")
    page.until("document.querySelector('#session').innerText.includes('no such session')")
    file = folder / "sessions" / "00007.js"
    text = file.read_text()
    file.unlink()
    try:
        page.run("location.hash = 'session-7'")
        page.until("document.querySelector('#session').innerText.includes('must stay beside the page')")
        file.write_text(text.replace('7,"', '7,"other'))
        page.run("location.hash = 'session-8'")
        page.until(OPEN)
        page.run("location.hash = 'session-7'")
        page.until("document.querySelector('#session').innerText.includes('belongs to another report')")
    finally:
        file.write_text(text)


def test_hostile_trials_run_nothing(browser: Callable[[], Page], tmp_path: Path) -> None:
    job = write_hostile(tmp_path)
    write_broken(job)
    table = read_table([job], cache_at=None)
    mix = ("dataset", "task", "rubric", "simulator", "basis", "judge", "agent")
    written = write_page(table, leaderboard(table, by=["language", "category"], mix=mix), tmp_path / "out")
    page = browser()
    page.open(written.index.as_uri())
    count = int(page.run("together.trials.length"))
    for number in range(count):
        page.run(f"location.hash = 'session-{number}'")
        page.until(OPEN)
        for _ in range(3):
            page.run("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
            page.run("new Promise((resume) => setTimeout(resume, 50))")
        assert page.run("window.hacked") is None
        assert page.run("document.querySelectorAll('main img, main script, main iframe').length") == 0
    page.run("location.hash = 'trials'")
    page.run("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    shown = EVIL.replace("\u2028", "")
    assert shown in page.run("document.querySelector('#filters').textContent")
    assert page.run("window.hacked") is None
    assert page.dialogs == []
    # A key of our own that a hostile file would need is not given to what is set from outside.
    assert (
        page.run(
            "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'let in'; } catch { return 'kept out'; } })()"
        )
        == "kept out"
    )


def test_names_for_those_who_can_not_see(page: Page) -> None:
    tree = page.send("Accessibility.getFullAXTree")["nodes"]
    named = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if "role" in node]
    for role, name in (
        ("heading", "Leaderboard"), ("table", "Leaderboard: each agent"), ("searchbox", "search trials"),
        ("combobox", "model"), ("image", "Success and User Correction"), ("table", "Mean reward of each task"),
        ("rowheader", "model-1"), ("columnheader", "pass@1, %"), ("navigation", "parts of the report"),
        ("button", "task-14, model-1: mean reward"), ("region", "leaderboard"),
    ):  # fmt: skip
        assert any(found == role and told.startswith(name) for found, told in named), (role, name)
    unnamed = [
        node
        for node in named
        if node[0] in ("button", "link", "textbox", "searchbox", "combobox", "image") and not node[1]
    ]
    assert unnamed == []
    assert page.run("[...document.querySelectorAll('table')].every((table) => table.caption !== null)")
    assert page.run(
        "[...document.querySelectorAll('th')].every((cell) => cell.scope === 'row' || cell.scope === 'col')"
    )


CONTRAST = """(() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((part, at) => part * a + below[at] * (1 - a));
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) layers.push(parse(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const linear = (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  const light = (colour) => colour.map((part) => linear(part / 255))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    if (element.closest("svg, script, style, noscript, :disabled, .unseen")) continue;
    const back = behind(element);
    const [one, other] = [light(over(parse(getComputedStyle(element).color), back)), light(back)];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) found.push([ratio.toFixed(2), element.className, walker.currentNode.data.slice(0, 40)]);
  }
  return found.slice(0, 10);
})()"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 400])
def test_it_is_readable_in_light_and_dark_on_desk_and_phone(page: Page, width: int, dark: bool) -> None:
    page.size(width, 900, dark=dark)
    assert page.run("matchMedia('(prefers-color-scheme: dark)').matches") is dark
    for address in ("trials", "session-4"):
        page.run(f"location.hash = {address!r}")
        page.until("true" if address == "trials" else OPEN)
        page.run("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        page.run("new Promise((resume) => setTimeout(resume, 50))")
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.run(CONTRAST) == [], address
