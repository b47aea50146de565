"""A small real model behind a real OpenAI-compatible server on loopback; ``setup/small-model.sh`` installs both."""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / ".venv-model"
MODEL = FOLDER / "smollm2-135m-instruct.gguf"
NAME = "smollm2"
CONTEXT_TOKENS = 8192
START_SEC = 120.0


@contextmanager
def served(log: Path) -> Iterator[str]:
    """Serve the model until the end of the block.

    Args:
        log: What the server prints.

    Yields:
        Its base URL.

    Raises:
        RuntimeError: It isn't installed, ended by itself, or didn't answer in time.
    """
    if not MODEL.is_file():
        raise RuntimeError(f"{FOLDER} holds no model: run setup/small-model.sh, as make test-model does.")
    port = _free_port()
    # Tokens come one by one, so that a second thread would mostly wait; a prompt has enough for every core. Logits of
    # all its tokens are what nobody asks for, and cost gigabytes.
    options = {
        "--model": MODEL, "--model_alias": NAME, "--host": "127.0.0.1", "--port": port,
        "--n_ctx": CONTEXT_TOKENS, "--n_threads": 1, "--n_threads_batch": os.cpu_count() or 1, "--logits_all": "false",
        "--verbose": "false",
    }  # fmt: skip
    # A test run that is killed outright takes the server along.
    leash = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
    server = [FOLDER / "bin" / "python", "-m", "llama_cpp.server", *(part for one in options.items() for part in one)]
    # Threads that wait would keep other programs off the processor.
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in (*leash, *server)], stdout=output, stderr=subprocess.STDOUT, env=environment
        )
        try:
            base_url = f"http://127.0.0.1:{port}/v1"
            _wait(process, base_url, log)
            yield base_url
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], base_url: str, log: Path) -> None:
    end = time.monotonic() + START_SEC
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"The model's server ended with {process.returncode}:\n{log.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(f"{base_url}/models", timeout=5) as answer:
                assert [one["id"] for one in json.load(answer)["data"]] == [NAME]
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    raise RuntimeError(f"The model's server did not answer within {START_SEC:g} s:\n{log.read_text()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
