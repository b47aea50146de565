"""Headless Chromium, driven through its DevTools protocol."""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium", "chromium-browser", "google-chrome")
WAIT_SEC = 20.0
KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38}


class Page:
    """One tab. Whatever goes wrong in it is in ``errors``, every request that it makes in ``requests``."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method and return its result."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(WAIT_SEC))
            if message.get("id") == self._number:
                assert "error" not in message, f"{method}: {message['error']}"
                return dict(message["result"])
            self._event(message)

    def open(self, url: str) -> None:
        """Go there and wait until it is loaded."""
        self.send("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script: str) -> Any:
        """The value of an expression, promises awaited."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, script: str, seconds: float = WAIT_SEC) -> Any:
        """Wait for an expression to be true and return its value."""
        deadline = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < deadline, f"never true: {script}\n{self.run('document.body.innerText')[:2000]}"
            time.sleep(0.02)
        return value

    def text(self, selector: str = "body") -> str:
        """What a reader sees of an element."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def click(self, selector: str) -> None:
        """Click the first element of a selector."""
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        for key in keys:
            code = KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0)
            facts: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code}
            text = key if len(key) == 1 else "\r" if key == "Enter" else ""
            self.send("Input.dispatchKeyEvent", type="keyDown", **facts, **({"text": text} if text else {}))
            self.send("Input.dispatchKeyEvent", type="keyUp", **facts)

    def type(self, text: str) -> None:
        """Enter text where the focus is."""
        self.send("Input.insertText", text=text)

    def look(
        self, path: Path, width: int = 1280, height: int = 900, *, dark: bool = False, whole: bool = False
    ) -> None:
        """Write a picture."""
        self.size(width, height, dark=dark)
        found = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        """Set the window's size and the reader's colours."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def _event(self, message: dict[str, Any]) -> None:
        name, facts = message.get("method"), message.get("params", {})
        if name == "Runtime.exceptionThrown":
            details = facts["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif name == "Runtime.consoleAPICalled" and facts["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in facts["args"]))
        elif name == "Log.entryAdded" and facts["entry"]["level"] == "error":
            self.errors.append(f"{facts['entry']['text']} {facts['entry'].get('url', '')}".strip())
        elif name == "Network.requestWillBeSent":
            self.requests.append(facts["request"]["url"])
        elif name == "Page.javascriptDialogOpening":
            self.dialogs.append(facts["message"])
            self._number += 1
            self._socket.send(
                json.dumps({"id": self._number, "method": "Page.handleJavaScriptDialog", "params": {"accept": True}})
            )


@pytest.fixture(scope="module")
def browser() -> Iterator[Callable[[], "Page"]]:
    """A browser; call it for pages that share nothing."""
    with chromium() as found:
        yield found


@contextmanager
def chromium() -> Iterator[Callable[[], Page]]:
    """A browser with a fresh profile; call it for a page of its own profile each."""
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    assert program is not None, "no Chromium on this machine; run: setup/browser.sh"
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
             "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        sockets: list[ClientConnection] = []
        try:
            port = _port(Path(profile) / "DevToolsActivePort", process)
            yield lambda: _page(port, sockets)
        finally:
            for socket in sockets:
                socket.close()
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _page(port: int, sockets: list[ClientConnection]) -> Page:
    with urlopen(Request(f"http://127.0.0.1:{port}/json/version"), timeout=WAIT_SEC) as answer:
        browser = json.load(answer)["webSocketDebuggerUrl"]
    with connect(browser, max_size=None) as socket:
        # Each page gets a profile of its own: two annotators are two browsers.
        context = _ask(socket, "Target.createBrowserContext")["browserContextId"]
        target = _ask(socket, "Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
    own = connect(f"ws://127.0.0.1:{port}/devtools/page/{target}", max_size=None)
    sockets.append(own)
    return Page(own)


def _ask(socket: ClientConnection, method: str, **parameters: Any) -> dict[str, Any]:
    socket.send(json.dumps({"id": 1, "method": method, "params": parameters}))
    while (message := json.loads(socket.recv(WAIT_SEC))).get("id") != 1:
        pass
    return dict(message["result"])


def _port(file: Path, process: "subprocess.Popen[bytes]") -> int:
    deadline = time.monotonic() + WAIT_SEC
    while time.monotonic() < deadline:
        assert process.poll() is None, f"Chromium ended with {process.returncode}"
        if file.is_file() and (text := file.read_text()).count("\n"):
            return int(text.split("\n")[0])
        time.sleep(0.05)
    raise AssertionError("Chromium opened no debugging port")
