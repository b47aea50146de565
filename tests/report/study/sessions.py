"""Trials with sessions for a study: small, and with everything in them that an annotator must not see."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DIGEST = "d1ce" * 16
MODEL = "maker/user-model-7"
HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>\u2028‮"


def trial(
    job: Path, name: str, task: str, policy: str, messages: Sequence[str] = ("fix it", "and the tests?"),
    *, agent: str = "codex", end: str = "anchors_exhausted", reply: str = "done",
) -> Path:  # fmt: skip
    """Write a trial's folder and return it."""
    folder = job / name
    steps: list[dict[str, Any]] = []
    for number, message in enumerate(messages, start=1):
        mark = {"turn": number, "kind": "instruction" if number == 1 else "anchor", "anchors": [f"anchor-{number}"]}
        steps.append({"source": "user", "message": message, "extra": {"swe_together": mark}})
        steps.append(
            {
                "source": "agent",
                "timestamp": "2026-01-02T03:04:05Z",
                "reasoning_content": "secret thoughts",
                "message": "",
                "tool_calls": [{"tool_call_id": f"c{number}", "function_name": "bash", "arguments": {"command": "ls"}}],
                "observation": {"results": [{"source_call_id": f"c{number}", "content": f"/jobs/{name} {DIGEST}"}]},
            }
        )
        steps.append({"source": "agent", "message": reply})
    session = {
        "task": task, "task_digest": DIGEST, "agent": agent, "policy": policy, "continuation": "native",
        "started": "2026-01-02T03:04:05+00:00", "finished": "2026-01-02T03:05:05+00:00", "seconds": 60,
        "agent_seconds": 50, "user_seconds": 1, "end": end, "turns": [], "settled": [],
        "messages": len(messages) - 1, "settings": {"user_model": MODEL} if policy == "llm" else {},
    }  # fmt: skip
    record = {
        "turn": 1, "policy": policy, "seconds": 0, "error": "none needed",
        "observation": {"turn": 1, "reply": reply, "reply_chars": 4, "turn_sec": 1, "elapsed_sec": 1,
                        "diff": "diff --git a/x b/x\n+new line"},
    }  # fmt: skip
    judge = {"status": "ok", "score": 1.0, "met": {"works": True, "tidy": False}}
    tags = {"messages": [{"turn": n, "tags": ["request"], "source": "authored"} for n in range(2, len(messages) + 1)]}
    _write(folder / "config.json", {"trial_name": name})
    _write(folder / "result.json", {"task_name": task, "agent_info": {"name": agent}, "verifier": {},
                                    "verifier_result": {"rewards": {"reward": 1.0}}})  # fmt: skip
    _write(folder / "agent/trajectory.json", {"steps": steps})
    _write(folder / "user-agent/session.json", session)
    _write(folder / "user-agent/decisions.jsonl", record)
    _write(folder / "verifier/reward-details.json",
           {"status": "ok", "interactive": 1, "tests": 1.0, "basis": "judge", "judge": judge})  # fmt: skip
    _write(folder / "verifier/behaviour.json", {"tags": tags})
    return folder


def sessions(folder: Path, tasks: int) -> tuple[list[str], list[str]]:
    """Jobs with a real and a simulated session of each task; the paths as ``prepare`` takes them."""
    for number in range(tasks):
        trial(folder / "people-job", f"task{number}__real{number:04}", f"swe-together/t{number}", "human")
        trial(folder / "machine-job", f"task{number}__simu{number:04}", f"swe-together/t{number}", "llm")
    return [str(folder / "people-job")], [str(folder / "machine-job")]


def goals(tasks: int) -> dict[str, dict[str, str]]:
    """Texts of goals of the tasks that ``sessions`` makes."""
    return {f"swe-together/t{n}": {"works": "It works.", "tidy": "It is tidy."} for n in range(tasks)}


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
