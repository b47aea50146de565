"""A web server on this machine alone, for the annotators of a study. It never opens the key."""

import json
import socket
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from swe_together.errors import MisuseError, TogetherError
from swe_together.report.study._format import annotator_name
from swe_together.report.study._store import OpenStudy, RefusedError

PORT = 8765
BODY_BYTES = 256 * 1024
WAIT_SEC = 30.0
"""How long a connection may stay silent."""
HOSTS = ("127.0.0.1", "localhost", "[::1]")
_HTML, _CSS, _JS = "text/html; charset=utf-8", "text/css; charset=utf-8", "text/javascript; charset=utf-8"
_JSON = "application/json"
ASSETS = {
    "/": ("swe_together.report.study", "index.html", _HTML),
    "/study.css": ("swe_together.report.study", "study.css", _CSS),
    "/study.js": ("swe_together.report.study", "study.js", _JS),
    "/answers.js": ("swe_together.report.study", "answers.js", _JS),
    "/forms.js": ("swe_together.report.study", "forms.js", _JS),
    "/base.css": ("swe_together.report.conversation", "base.css", _CSS),
    "/conversation.css": ("swe_together.report.conversation", "conversation.css", _CSS),
    "/dom.js": ("swe_together.report.conversation", "dom.js", _JS),
    "/conversation.js": ("swe_together.report.conversation", "conversation.js", _JS),
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class _Problem(Exception):
    def __init__(self, status: HTTPStatus, text: str) -> None:
        self.status = status
        self.text = text
        super().__init__(text)


class StudyServer(ThreadingHTTPServer):
    """Serves one study on loopback.

    Args:
        study: The study.
        port: 0 takes a free one.

    Raises:
        MisuseError: The port is taken or not to be had.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, study: OpenStudy, port: int = PORT) -> None:
        self.study = study
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except (OSError, OverflowError) as error:
            raise MisuseError(f"Port {port} can't be used: {error}.", "Name another one with --port.") from None

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that went away is no error of ours."""
        import sys

        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError, socket.timeout)):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: StudyServer
    protocol_version = "HTTP/1.1"
    server_version = "study"
    sys_version = ""
    timeout = WAIT_SEC

    def do_GET(self) -> None:
        """A page, a script, the agenda of an annotator or an item."""
        self._answer(self._get)

    def do_POST(self) -> None:
        """An answer."""
        self._answer(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what annotators do stands in the answers."""

    def _answer(self, act: Callable[[], tuple[str, bytes]]) -> None:
        status = HTTPStatus.OK
        try:
            self._check_host()
            kind, content = act()
        except _Problem as problem:
            status, kind, content = problem.status, _JSON, _json({"error": problem.text})
            # The body may not have been read: what follows on this connection can't be trusted.
            self.close_connection = True
        except (OSError, TogetherError) as error:
            status, kind, content = HTTPStatus.INTERNAL_SERVER_ERROR, _JSON, _json({"error": str(error)})
            self.close_connection = True
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def _check_host(self) -> None:
        """Refuse names that some other page's owner may have let point at this machine."""
        host = self.headers.get("Host", "")
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if name not in HOSTS:
            raise _Problem(HTTPStatus.MISDIRECTED_REQUEST, "this server answers on 127.0.0.1 and localhost alone")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
            raise _Problem(HTTPStatus.FORBIDDEN, "another page may not ask this server")

    def _get(self) -> tuple[str, bytes]:
        url = urlsplit(self.path)
        if url.path in ASSETS:
            package, name, kind = ASSETS[url.path]
            return kind, (files(package) / "assets" / name).read_bytes()
        study = self.server.study
        if url.path == "/api/agenda":
            try:
                name = annotator_name(parse_qs(url.query).get("annotator", [""])[0])
            except ValueError as error:
                raise _Problem(HTTPStatus.BAD_REQUEST, str(error)) from None
            return _JSON, _json({"annotator": name, "items": study.agenda(name)})
        if url.path.startswith("/api/items/"):
            content = study.item(url.path.removeprefix("/api/items/"))
            if content is not None:
                return _JSON, content
        raise _Problem(HTTPStatus.NOT_FOUND, "there is nothing here")

    def _post(self) -> tuple[str, bytes]:
        if self.path != "/api/answers":
            raise _Problem(HTTPStatus.NOT_FOUND, "there is nothing here")
        # A form of another page can neither set this type nor hide its origin.
        if self.headers.get("Content-Type") != _JSON:
            raise _Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "answers are application/json")
        origin = self.headers.get("Origin")
        if origin != f"http://{self.headers.get('Host')}":
            raise _Problem(HTTPStatus.FORBIDDEN, "answers come from the page of this server alone")
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or int(length) > BODY_BYTES:
            raise _Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"an answer has at most {BODY_BYTES} bytes")
        try:
            body = json.loads(self.rfile.read(int(length)))
            answer = self.server.study.enter(body)
        except RefusedError as refused:
            raise _Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(refused)) from None
        except (ValueError, RecursionError):
            raise _Problem(HTTPStatus.BAD_REQUEST, "that is no JSON") from None
        return _JSON, _json({"saved": answer.id})


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
