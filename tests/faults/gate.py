"""A gate before a model's server: passes everything on, until it is told to refuse, to dawdle or to break off."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from enum import StrEnum
from types import TracebackType
from typing import Final, Self

CHUNK: Final = 65_536
SLOW_BYTE_SEC: Final = 1.0
HALF_BYTES: Final = 300
RESET: Final = struct.pack("ii", 1, 0)
"""Linger for no time at all: closing resets the connection."""


class Mode(StrEnum):
    """What becomes of connections."""

    OPEN = "open"
    DOWN = "down"
    SLOW = "slow"
    HALF_CLOSED = "half-closed"


class Gate:
    """Listens on one address and connects everybody with one port of this machine.

    ``DOWN`` resets connections, those that stand as well; ``SLOW`` lets a byte of the answer through each second;
    ``HALF_CLOSED`` lets the first bytes of an answer through, closes its own direction and goes on listening.

    Args:
        host: Address to listen on.
        port: Where the server is, on loopback.

    Attributes:
        peers: Addresses that have connected, in the order of their first time.
        hit: How many connections met a mode other than ``OPEN``.
    """

    def __init__(self, host: str, port: int) -> None:
        self._target = port
        self._mode, self._victim = Mode.OPEN, ""
        self._lock = threading.Lock()
        self._open: dict[socket.socket, str] = {}
        self._closed = threading.Event()
        self.peers: list[str] = []
        self.hit = 0
        self._listener = socket.create_server((host, 0), backlog=64)
        self._host = host
        self._thread = threading.Thread(target=self._accept, daemon=True)

    @property
    def url(self) -> str:
        """Base URL, without a path."""
        return f"http://{self._host}:{self._listener.getsockname()[1]}"

    def set(self, mode: Mode, victim: str = "") -> None:
        """From now on, for the connections of one address, or of all."""
        with self._lock:
            self._mode, self._victim = mode, victim
            standing = [one for one, peer in self._open.items() if mode is Mode.DOWN and victim in ("", peer)]
            self.hit += len(standing)
        for one in standing:
            _reset(one)

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close everything."""
        self._closed.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            standing = list(self._open)
        for one in standing:
            _reset(one)
        self._thread.join(10)

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                connection, (peer, *_) = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if peer not in self.peers:
                    self.peers.append(peer)
            threading.Thread(target=self._serve, args=(connection, peer), daemon=True).start()

    def _meets(self, peer: str) -> Mode:
        with self._lock:
            mode = self._mode if self._victim in ("", peer) else Mode.OPEN
            self.hit += mode is not Mode.OPEN
            return mode

    def _serve(self, client: socket.socket, peer: str) -> None:
        if self._meets(peer) is Mode.DOWN:
            _reset(client)
            return
        with self._lock:
            self._open[client] = peer
        try:
            with client, socket.create_connection(("127.0.0.1", self._target)) as server:
                up = threading.Thread(target=_pour, args=(client, server), daemon=True)
                up.start()
                self._answer(server, client, peer)
                with contextlib.suppress(OSError):
                    server.shutdown(socket.SHUT_RDWR)
                up.join(10)
        except OSError:
            return  # one of the two has gone
        finally:
            with self._lock:
                self._open.pop(client, None)

    def _answer(self, server: socket.socket, client: socket.socket, peer: str) -> None:
        """Carry what the server says, as the mode wants it when it says it: connections are kept for many calls."""
        while data := server.recv(CHUNK):
            mode = self._meets(peer)
            if mode is Mode.HALF_CLOSED:
                client.sendall(data[:HALF_BYTES])
                client.shutdown(socket.SHUT_WR)
                while client.recv(CHUNK):
                    pass
                return
            if mode is Mode.SLOW:
                for byte in data:
                    client.sendall(bytes([byte]))
                    if self._closed.wait(SLOW_BYTE_SEC):
                        return
            else:
                client.sendall(data)


def _pour(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(CHUNK):
            target.sendall(data)


def _reset(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        connection.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        connection.close()


def wait_for(gate: Gate, hits: int, seconds: float) -> None:
    """Wait until so many connections have met the gate's mode."""
    deadline = time.monotonic() + seconds
    while gate.hit < hits:
        assert time.monotonic() < deadline, "nobody came to the gate"
        time.sleep(0.05)
