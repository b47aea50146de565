"""Serve one scripted session by hand: `python -m tests.support.model_server SCRIPT.json --key KEY`."""

from __future__ import annotations

import argparse
import contextlib
import threading
from pathlib import Path

from .script import SessionScript
from .server import FakeModelServer


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.model_server", description=__doc__)
    parser.add_argument("script", type=Path, help="JSON file: turns with message, shell and reply")
    parser.add_argument("--key", required=True, help="API key by which the session is known")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seed", default="0", help="seed of the random usage")
    parser.add_argument("--jsonl", type=Path, help="append every request to this file")
    args = parser.parse_args()
    server = FakeModelServer(seed=args.seed, host=args.host, port=args.port, jsonl=args.jsonl)
    server.add(args.key, SessionScript.from_json(args.script.read_text(encoding="utf-8")))
    print(f"fake model on http://{args.host}:{server.port}/v1, key {args.key}", flush=True)
    with server, contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


if __name__ == "__main__":
    main()
