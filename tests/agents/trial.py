"""Runs one trial as a user would, by `harbor run`, and reads what it left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.agents.clients import Client
from tests.agents.task import write_task
from tests.support.agent_image import closed_network
from tests.support.model_server import Call, FakeModelServer

TRIAL_TIMEOUT_SEC = 600
KEPT_VARIABLES = ("PATH", "LANG", "TMPDIR", "DOCKER_HOST", "DOCKER_CONTEXT", "XDG_RUNTIME_DIR")


@dataclass(frozen=True, slots=True)
class Trial:
    """What a trial left behind, and what the model server saw of it."""

    client: Client
    folder: Path
    calls: list[Call]

    def read(self, name: str) -> Any:
        """A JSON file of the trial."""
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    @property
    def restates(self) -> bool:
        """Whether later messages reach the agent with an account of the conversation so far."""
        return "restated" in {turn["continuation"] for turn in self.read("user-agent/session.json")["turns"]}

    @property
    def agent_calls(self) -> list[Call]:
        """The calls of the agent's own loop, failed ones among them."""
        return [call for call in self.calls if call.is_agent]

    @property
    def side_calls(self) -> list[Call]:
        """All other calls."""
        return [call for call in self.calls if not call.is_agent]


def environment(home: Path) -> dict[str, str]:
    """Variables for Harbor: no key, login or setting of whoever runs the tests, nothing fetched or reported."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    docker = os.environ.get("DOCKER_CONFIG", str(Path.home() / ".docker"))
    return kept | {
        "HOME": str(home),
        "DOCKER_CONFIG": docker,
        "HARBOR_TELEMETRY": "0",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }


def play(client: Client, folder: Path, server: FakeModelServer, image: str, *settings: str) -> Trial:
    """Run one trial in a network of its own; `settings` are the plugin's, as `name=value`."""
    key = f"fake-{folder.name}"
    server.add(key, client.script)
    home = folder / "home"
    home.mkdir()
    with closed_network() as network:
        command = [
            *(str(Path(sys.executable).with_name("harbor")), "run", "--yes"),
            *("--path", str(write_task(folder / "task", image, network))),
            *("--agent", client.name, "--model", client.model, "--plugin", "swe-together"),
            *("--jobs-dir", str(folder / "jobs"), "--job-name", "job"),
        ]
        stands = {"key": key, "server": f"http://{network.gateway}:{server.port}"}
        for option, values in (("--agent-env", client.variables), ("--agent-kwarg", client.options)):
            for name, value in values.items():
                command += [option, f"{name}={value.format(**stands)}"]
        for setting in settings:
            command += ["--plugin-kwarg", setting]
        done = subprocess.run(
            command,
            env=environment(home),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TRIAL_TIMEOUT_SEC,
            check=False,
        )
        left = network.containers()
    trials = sorted(path.parent for path in (folder / "jobs").glob("job/*/result.json"))
    assert done.returncode == 0, f"harbor run failed:\n{done.stdout[-4000:]}"
    assert len(trials) == 1, f"harbor run left {len(trials)} trials:\n{done.stdout[-4000:]}"
    trial = Trial(client, trials[0], server.ledger.calls(key))
    failure = trial.read("result.json")["exception_info"]
    assert failure is None, f"the trial failed: {json.dumps(failure, indent=1)[-4000:]}"
    assert left == [], "the trial left containers behind"
    return trial
