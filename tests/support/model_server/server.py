"""The HTTP side of the fake model: routing, faults, streaming and the record of every request."""

from __future__ import annotations

import json
import sys
import threading
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from . import anthropic, chat, gemini, responses, terminal
from .ledger import Call, Ledger, Protocol, Usage
from .script import Play, SessionScript, decide
from .wire import Event, Wire

WIRES = {"/messages": anthropic.WIRE, "/chat/completions": chat.WIRE, "/responses": responses.WIRE}
COUNTS: Mapping[str, tuple[Protocol, str]] = {
    "/messages/count_tokens": ("anthropic", "input_tokens"),
    ":countTokens": ("gemini", "totalTokens"),
}
"""Where tokens are counted: protocol, and the field of the answer."""
UNKNOWN = "(unknown key)"


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back over the wire: one JSON object, or events."""

    status: int
    body: Mapping[str, Any]
    events: tuple[Event, ...] = ()
    cut: bool = False


class FakeModelServer:
    """A deterministic stand-in for a model provider. A session's API key is its name.

    Usage is drawn at random from a seed, so that sums can be compared field by field with what a client reports.
    """

    def __init__(self, seed: str = "0", host: str = "0.0.0.0", port: int = 0, jsonl: Path | None = None) -> None:
        """Bind at once; port 0 takes a free one."""
        self.seed = seed
        self.ledger = Ledger(jsonl)
        self._scripts: dict[str, SessionScript] = {}
        self._agent_calls: dict[str, int] = {}
        self._lock = threading.Lock()
        self._http = _Http((host, port), self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), name="fake-model", daemon=True)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._http.server_address[1])

    def add(self, key: str, script: SessionScript) -> None:
        """Make a session known by its API key."""
        with self._lock:
            self._scripts[key] = script

    def start(self) -> None:
        """Serve in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop serving and give the port back."""
        self._http.shutdown()
        self._http.server_close()

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    def script(self, key: str) -> SessionScript | None:
        """The script of a session."""
        with self._lock:
            return self._scripts.get(key)

    def count_agent_call(self, key: str) -> int:
        """Number of this agent call within its session, failed attempts included."""
        with self._lock:
            self._agent_calls[key] = self._agent_calls.get(key, 0) + 1
            return self._agent_calls[key]


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], model: FakeModelServer) -> None:
        self.model = model
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is part of life here; anything else must be seen."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    _number = 0
    _nth = 0

    def _open(self) -> None:
        self._number, self._nth = self.server.model.ledger.open(self._session())

    def log_message(self, format: str, *args: Any) -> None:
        """The ledger is the log."""

    def do_GET(self) -> None:
        """Models, and refusals: of websockets at once, so that a client falls back to plain HTTP."""
        self._open()
        if "websocket" in self.headers.get("Upgrade", "").lower():
            answer, side = (
                Answer(426, {"error": {"message": "This server speaks plain HTTP only."}}),
                "websocket refused",
            )
        elif self._route().endswith("/models"):
            fake = {"id": "fake-model", "object": "model", "type": "model", "display_name": "Fake model"}
            answer = Answer(200, {"object": "list", "data": [fake], "has_more": False})
            side = "lists models"
        else:
            answer, side = Answer(404, {"error": {"message": f"Nothing at {self._route()}."}}), "unknown path"
        self._finish(answer, "other", None, side=side)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """A model call, or a token count."""
        self._open()
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        route = self._route()
        match = gemini.wire_at(route) or next((found for path, found in WIRES.items() if route.endswith(path)), None)
        count = next((found for path, found in COUNTS.items() if route.endswith(path)), None)
        if count is not None and isinstance(body, dict):
            self._finish(Answer(200, {count[1]: len(raw) // 4}), count[0], body, side="counts tokens")
        elif match is None:
            self._finish(
                Answer(404, {"error": {"message": f"Nothing at {route}."}}), "other", body, side="unknown path"
            )
        elif not isinstance(body, dict):
            self._finish(
                Answer(400, match.error(400, "The body isn't a JSON object.")), match.name, None, side="no JSON"
            )
        else:
            self._model_call(match, body)

    def _model_call(self, wire: Wire, body: Mapping[str, Any]) -> None:
        model, key = self.server.model, self._key()
        script = model.script(key)
        if script is None:
            answer = Answer(401, wire.error(401, "No session has this API key."))
            self._finish(answer, wire.name, body, side="unknown key")
            return
        conversation = wire.read(body)
        play = (terminal.decide if script.terminal else decide)(script, conversation)
        fault = script.fault_at(model.count_agent_call(key)) if play.turn is not None else None
        if fault is not None and fault.delay_sec:
            time.sleep(fault.delay_sec)
        if fault is not None and fault.status is not None:
            answer = Answer(fault.status, wire.error(fault.status, "A planned fault."))
            self._finish(answer, wire.name, body, play=play)
            return
        name = f"{model.seed}/{key}/{self._nth}"
        usage, response_id = Usage.draw(name), uuid.uuid5(uuid.NAMESPACE_URL, name).hex
        events: Iterable[Event] = ()
        if conversation.stream:
            events = wire.stream(play, usage, conversation.model, response_id)
        whole = wire.complete(play, usage, conversation.model, response_id)
        answer = Answer(200, whole, tuple(events), cut=fault is not None and fault.cut)
        self._finish(answer, wire.name, body, play=play, usage=usage)

    def _finish(
        self,
        answer: Answer,
        protocol: Protocol,
        body: Any,
        *,
        play: Play | None = None,
        side: str | None = None,
        usage: Usage | None = None,
    ) -> None:
        """Record first, answer then: whoever has seen the answer finds the call in the ledger."""
        call = Call(
            number=self._number,
            nth=self._nth,
            session=self._session(),
            protocol=protocol,
            method=self.command,
            path=self.path,
            headers=dict(self.headers.items()),
            body=body,
            status=answer.status,
            turn=play.turn if play else None,
            step=play.step if play else None,
            tool_call_id=play.use.call_id if play and play.use else None,
            side=play.side if play else side,
            usage=None if answer.cut else usage,
        )
        self.server.model.ledger.write(call)
        self._send(answer)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        if not answer.events:
            data = json.dumps(answer.body).encode()
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data[: len(data) // 2] if answer.cut else data)
            self.close_connection = self.close_connection or answer.cut
            return
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        kept = answer.events[: len(answer.events) // 2] if answer.cut else answer.events
        for name, payload in kept:
            text = payload if isinstance(payload, str) else json.dumps(payload)
            self._chunk((f"event: {name}\n" if name else "") + f"data: {text}\n\n")
        if answer.cut:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _route(self) -> str:
        return self.path.split("?", 1)[0].rstrip("/")

    def _key(self) -> str:
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        return self.headers.get("x-api-key") or self.headers.get("x-goog-api-key") or bearer

    def _session(self) -> str:
        """Name for the record: a key that no test has made known might be a real one."""
        key = self._key()
        return key if self.server.model.script(key) is not None else UNKNOWN
