"""A job whose trials try to do harm to whoever looks at them."""

import json
import os
from dataclasses import replace
from pathlib import Path

from swe_together.schema import SessionRecord
from tests.support.jobs import Spec, write_job, write_trial

EVIL = (
    "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1><!--<script>\u2028{{script}}${1}'\"`"
)
NAMES = Spec(
    task=f"swe-together/{EVIL}", model=f"x/{EVIL}", language=EVIL, category=EVIL, repository=EVIL, agent="codex"
)


def write_hostile(folder: Path) -> Path:
    """The job; its names and all texts in its trials are hostile."""
    job = write_job(folder / "hostile-job", [])
    evil_texts(write_trial(job, NAMES, name="names__0000001"))
    evil_texts(write_trial(job, replace(NAMES, reward=None, minute=1), name="names__0000002"))
    return job


def evil_texts(trial: Path) -> None:
    """Put hostile text wherever a page shows text."""
    path = trial / "agent/trajectory.json"
    steps = json.loads(path.read_text())["steps"]
    for step in steps:
        step["message"] = EVIL
    call = {"tool_call_id": "1", "function_name": EVIL, "arguments": {"command": EVIL, EVIL: EVIL}}
    steps.append({"source": "agent", "message": EVIL, "reasoning_content": EVIL, "tool_calls": [call],
                  "observation": {"results": [{"source_call_id": "1", "content": EVIL * 500}]}})  # fmt: skip
    path.write_text(json.dumps({"steps": steps}))
    path = trial / "user-agent/decisions.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        record["observation"] |= {"diff": f"diff --git {EVIL}\n+{EVIL}\n-{EVIL}\n@@ {EVIL}", "changes_total": 1}
        record["observation"]["changes"] = [{"path": EVIL, "status": "added", "added": 1, "removed": 0}]
        record["decision"] |= {"reason": EVIL, "anchors": [EVIL], "guards": [EVIL]}
        record["decision"]["facts"] = [
            {"anchor": EVIL, "field": "condition", "predicate": {EVIL: EVIL}, "value": True, "detail": EVIL}
        ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    path = trial / "user-agent/session.json"
    session = json.loads(path.read_text())
    session["error"] = EVIL
    path.write_text(SessionRecord.model_validate(session).model_dump_json())


def write_broken(job: Path) -> None:
    """Trials that are half written, lead out of their folder, or are what no record can be."""
    half = write_trial(job, Spec(task="swe-together/half", minute=2), name="half__0000001")
    for name in ("agent/trajectory.json", "user-agent/decisions.jsonl", "verifier/behaviour.json"):
        text = (half / name).read_bytes()
        (half / name).write_bytes(text[: len(text) // 2])
    link = write_trial(job, Spec(task="swe-together/link", minute=3), name="link__0000001")
    secret = job.parent / "secret.json"
    secret.write_text(json.dumps({"steps": [{"source": "user", "message": "the secret of this machine"}]}))
    (link / "agent/trajectory.json").unlink()
    (link / "agent/trajectory.json").symlink_to(secret)
    pipe = write_trial(job, Spec(task="swe-together/pipe", minute=4), name="pipe__0000001")
    (pipe / "agent/trajectory.json").unlink()
    os.mkfifo(pipe / "agent/trajectory.json")
    large = write_trial(job, Spec(task="swe-together/large", minute=5), name="large__0000001")
    with (large / "agent/trajectory.json").open("wb") as file:
        file.truncate(100_000_000)
    deep = write_trial(job, Spec(task="swe-together/deep", minute=6), name="deep__0000001")
    (deep / "agent/trajectory.json").write_text('{"steps":' + "[" * 100_000 + "]" * 100_000 + "}")
