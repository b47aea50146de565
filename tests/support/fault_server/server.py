"""The server: one thread a request, each call answered as planned."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from .answers import decide
from .faults import STATUSES, Fault, completion, error_body, right_answer, wrong_answer

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]
SLOW_SEC = 30.0


class FaultServer:
    """Serves ``/v1/chat/completions`` on loopback.

    Args:
        plan: Fault by number of the call, from 1. Calls without one are answered rightly. A rejected parameter stays
            rejected from its call on, as a provider's would.
        answer: Makes the right decision from a request's body: the arguments of ``decide``, or a call of another tool
            as ``{"tool": …, "arguments": …}``.
        seed: Of the noise.

    Attributes:
        bodies: Bodies of all requests, in order.
        keys: Their ``Authorization`` headers.
        used: The fault that each call met; None for a right answer.
    """

    def __init__(self, plan: Mapping[int, Fault] | None = None, *, answer: Answer = decide, seed: int = 0) -> None:
        self.plan = dict(plan or {})
        self.answer = answer
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.used: list[Fault | None] = []
        self._rng = random.Random(seed)
        self._lock = threading.Lock()
        self._rejected: set[str] = set()
        self._stopping = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        """What clients take as their base URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def restart(self, plan: Mapping[int, Fault], *, seed: int = 0) -> None:
        """Forget all calls and follow another plan, at the same address: clients are dear to make."""
        with self._lock:
            self.plan = dict(plan)
            self.bodies, self.keys, self.used = [], [], []
            self._rejected = set()
            self._rng = random.Random(seed)

    def __enter__(self) -> Self:
        """Start serving."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving; slow answers end at once."""
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:
                """Tests read what was asked, not a log."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
                fault = server._arrived(body, self.headers.get("Authorization", ""))
                # A client that has given up has closed its end.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    self._reply(body, fault)

            def _reply(self, body: Mapping[str, Any], fault: Fault | None) -> None:
                if fault is None:
                    return self._send(200, right_answer(server.answer(body), body))
                if fault in STATUSES:
                    status = STATUSES[fault]
                    return self._send(status, error_body(status, f"{fault.name.lower()} on purpose"))
                if fault is Fault.NO_TEMPERATURE:
                    text = "Unsupported parameter: 'temperature' is not supported with this model."
                    return self._send(400, error_body(400, text))
                if fault is Fault.NO_TOOLS:
                    return self._send(400, error_body(400, "this server does not support tool_choice"))
                if fault is Fault.NO_CHOICES:
                    return self._send(200, {**completion(content=""), "choices": []})
                if fault is Fault.NOT_JSON:
                    return self._bytes(200, b"<html><body>upstream connect error</body></html>", "text/html")
                if fault in (Fault.CUT, Fault.CLOSED):
                    return self._break(cut=fault is Fault.CUT)
                if fault is Fault.SLOW:
                    server._stopping.wait(SLOW_SEC)
                    return self._send(200, right_answer(server.answer(body), body))
                return self._send(200, wrong_answer(fault, server.answer(body), server._rng))

            def _send(self, status: int, value: Mapping[str, Any]) -> None:
                self._bytes(status, json.dumps(value).encode(), "application/json")

            def _bytes(self, status: int, data: bytes, kind: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def _break(self, *, cut: bool) -> None:
                if cut:
                    data = json.dumps(completion(arguments=json.dumps({"reason": "x"}))).encode()
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data[: len(data) // 2])
                    self.wfile.flush()
                    time.sleep(0.02)
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)

        return Handler

    def _arrived(self, body: dict[str, Any], key: str) -> Fault | None:
        """Enter a request and look up what becomes of it."""
        with self._lock:
            self.bodies.append(body)
            self.keys.append(key)
            fault = self.plan.get(len(self.bodies))
            if fault is Fault.NO_TEMPERATURE:
                self._rejected.add("temperature")
            if fault is Fault.NO_TOOLS:
                self._rejected.add("tools")
            if "temperature" in self._rejected and "temperature" in body:
                fault = Fault.NO_TEMPERATURE
            elif "tools" in self._rejected and "tools" in body:
                fault = Fault.NO_TOOLS
            elif fault in (Fault.NO_TEMPERATURE, Fault.NO_TOOLS):
                fault = None
            self.used.append(fault)
            return fault
