"""A Docker engine of the test's own, in a network of its own, that can be restarted without disturbing anybody."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import docker
from docker.errors import DockerException

READY_SEC = 60.0


class OwnEngine:
    """Needs root. Its folder holds data, socket and log; images come from the engine that is there already.

    Args:
        folder: New; a short path, as sockets need one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True)
        assert os.geteuid() == 0, "A second Docker engine needs root: run this test as root."
        # Its rules of the firewall and its bridges stay in this network, which has nothing but its own loopback.
        self._holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "sh", "-c", "ip link set lo up; echo ready; exec sleep infinity"],
            stdout=subprocess.PIPE,
        )
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == b"ready\n"
        self._daemon: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        """For ``DOCKER_HOST``."""
        return f"unix://{self._folder}/docker.sock"

    @property
    def log(self) -> str:
        """The last lines that the engine wrote."""
        return (self._folder / "log").read_text(errors="replace")[-3000:]

    def client(self) -> docker.DockerClient:
        """A client of this engine."""
        return docker.DockerClient(base_url=self.host, timeout=60)

    def start(self) -> None:
        """Start it and wait until it answers."""
        (self._folder / "docker.pid").unlink(missing_ok=True)
        within = ["nsenter", "--target", str(self._holder.pid), "--net", "--mount"]
        line = [
            *("dockerd", "--host", self.host, "--data-root", self._folder / "data"),
            *("--exec-root", self._folder / "exec", "--pidfile", self._folder / "docker.pid"),
        ]
        with (self._folder / "log").open("ab") as log:
            self._daemon = subprocess.Popen([*within, *map(str, line)], stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + READY_SEC
        while True:
            try:
                self.client().ping()
                return
            except (DockerException, OSError):
                assert self._daemon.poll() is None, f"the engine ended:\n{self.log}"
                assert time.monotonic() < deadline, f"the engine does not answer:\n{self.log}"
                time.sleep(0.1)

    def stop(self) -> None:
        """Stop it as its service manager would; containers end with it."""
        if self._daemon is not None and self._daemon.poll() is None:
            self._daemon.send_signal(signal.SIGTERM)
            try:
                self._daemon.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(self._daemon.pid, signal.SIGKILL)
                self._daemon.wait()

    def load(self, image: str) -> None:
        """Copy an image from the engine that ``docker`` talks to otherwise."""
        saved = subprocess.Popen(["docker", "save", image], stdout=subprocess.PIPE)
        subprocess.run(["docker", "--host", self.host, "load", "--quiet"], stdin=saved.stdout, check=True)
        assert saved.wait() == 0

    def close(self) -> None:
        """Stop it and remove all that it had."""
        self.stop()
        self._holder.kill()
        self._holder.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
