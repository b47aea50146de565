"""The study's server answers its own page on this machine, and nobody else."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import MisuseError
from swe_together.report.study import OpenStudy, StudyServer, prepare, read_answers
from tests.report.study.sessions import sessions


@pytest.fixture
def server(tmp_path: Path) -> Iterator[StudyServer]:
    real, simulated = sessions(tmp_path, 2)
    prepare(real, simulated, tmp_path / "study", seed=1)
    with StudyServer(OpenStudy(tmp_path / "study"), 0) as found:
        thread = threading.Thread(target=found.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def ask(
    server: StudyServer, path: str, body: object = None, *, method: str | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    port = server.server_address[1]
    named = {"Host": f"127.0.0.1:{port}"} | {name.replace("_", "-"): value for name, value in headers.items()}
    content = None
    if body is not None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"} | named
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method or ("GET" if body is None else "POST"), path, content, named)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def answer(server: StudyServer, **facts: Any) -> dict[str, Any]:
    pair = next(iter(server.study.study.items))
    return {"id": uuid.uuid4().hex, "item": pair, "annotator": "anna", "choice": "left", "seconds": 1} | facts


def test_page_agenda_item_answer(server: StudyServer) -> None:
    status, headers, page = ask(server, "/")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    for asset in ("/study.js", "/answers.js", "/forms.js", "/dom.js", "/conversation.js", "/base.css",
                  "/conversation.css", "/study.css"):  # fmt: skip
        assert asset.encode() in page
        assert ask(server, asset)[0] == 200
    status, _, body = ask(server, "/api/agenda?annotator=anna")
    items = json.loads(body)["items"]
    assert [item["answer"] for item in items] == [None, None]
    assert set(json.loads(ask(server, f"/api/items/{items[0]['id']}")[2])) == {"format", "kind", "left", "right"}
    sent = answer(server)
    status, _, body = ask(server, "/api/answers", sent)
    assert (status, json.loads(body)) == (200, {"saved": sent["id"]})
    assert read_answers(server.study.folder)[0][0].id == sent["id"]


def test_everything_stays_on_this_page(server: StudyServer) -> None:
    for path in ("/", "/study.js", "/api/agenda?annotator=a", "/nothing"):
        headers = ask(server, path)[1]
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "*" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/key.json", "/../key.json", "/api/items/../../key", "/api/items/..%2f..%2fkey",
                                  "/api/items/", "/answers.jsonl", "/study.json", "//key.json"])  # fmt: skip
def test_the_key_is_never_served(server: StudyServer, path: str) -> None:
    assert ask(server, path)[0] == 404


def test_other_names_of_this_machine_are_refused(server: StudyServer) -> None:
    port = server.server_address[1]
    for host in ("127.0.0.1", "localhost", "[::1]"):
        assert ask(server, "/", Host=f"{host}:{port}")[0] == 200
    assert ask(server, "/", Host="localhost:9999")[0] == 200, "a tunnel may have another port at its other end"
    for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "", "127.0.0.1@evil"):
        assert ask(server, "/api/agenda?annotator=a", Host=host)[0] == 421, host


def test_other_pages_are_refused(server: StudyServer) -> None:
    port = server.server_address[1]
    for headers, status in (
        ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
        ({"Origin": f"http://localhost:{port}"}, 403),
        ({"Content_Type": "text/plain"}, 415), ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Sec_Fetch_Site": "cross-site"}, 403), ({"Sec_Fetch_Site": "same-site"}, 403),
    ):  # fmt: skip
        assert ask(server, "/api/answers", answer(server), **headers)[0] == status, headers
    assert ask(server, "/api/agenda?annotator=a", Sec_Fetch_Site="cross-site")[0] == 403
    assert ask(server, "/api/answers", b"", method="OPTIONS")[0] == 501, "no other origin is ever let in"
    assert read_answers(server.study.folder) == ([], 0)


def test_what_is_no_answer_is_told_and_not_written(server: StudyServer) -> None:
    for body, status in (
        (b"{", 400), (b"[" * 100_000, 400), (b"\xff", 400), (b"[]", 422), (answer(server, choice="up"), 422),
        (answer(server, annotator=""), 422), (answer(server, note="x" * 300_000), 413),
    ):  # fmt: skip
        found, _, text = ask(server, "/api/answers", body)
        assert (found, list(json.loads(text))) == (status, ["error"])
    assert ask(server, "/api/answers", b"{}", Content_Length="-1")[0] == 413
    for name in ("", "%20", "x" * 61, "a%00b"):
        assert ask(server, f"/api/agenda?annotator={name}")[0] == 400
    assert read_answers(server.study.folder) == ([], 0)


def test_an_answer_that_can_not_be_written_is_not_acknowledged(
    server: StudyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    status, _, body = ask(server, "/api/answers", answer(server))
    assert (status, json.loads(body)) == (500, {"error": "[Errno 28] No space left on device"})
    assert read_answers(server.study.folder) == ([], 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_told_to_stop(tmp_path: Path, number: signal.Signals) -> None:
    real, simulated = sessions(tmp_path, 1)
    prepare(real, simulated, tmp_path / "study", seed=1)
    command = [sys.executable, "-m", "swe_together", "study", "serve", str(tmp_path / "study"), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    first, second = process.stdout.readline(), process.stdout.readline()
    assert "http://127.0.0.1:" in first
    assert second.startswith("Annotators elsewhere: ssh -L 8765:127.0.0.1:")
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")
    assert "0 answers in" in out


def test_a_port_that_is_taken_is_misuse(server: StudyServer) -> None:
    with pytest.raises(MisuseError, match="--port"):
        StudyServer(server.study, server.server_address[1])
    with pytest.raises(MisuseError, match="--port"):
        StudyServer(server.study, 70_000)
