"""``swe-together simulate``: take one recorded decision of a model again, alone."""

import argparse
import asyncio
import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from swe_together.schema import DecisionRecord
    from swe_together.simulator.model import ModelSettings, ModelUser

HELP = "take one recorded decision of the simulated user again, alone"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("task", type=Path, metavar="TASK", help="the task's directory")
    parser.add_argument(
        "--from", dest="recording", type=Path, required=True, metavar="FILE", help="decisions.jsonl, or a trial folder"
    )
    parser.add_argument("--turn", type=int, required=True, help="the turn after which was decided")
    parser.add_argument("--policy", choices=["anchored", "llm"], help="another policy than the recorded one")
    parser.add_argument("--user-model", metavar="MODEL", help="another model than the recorded one")
    parser.add_argument("--user-temperature", type=float, metavar="T", help="another temperature than the recorded one")
    parser.add_argument("--user-base-url", metavar="URL", help="where the model is served, if not by its provider")
    parser.add_argument("--user-api-key-env", metavar="NAME", help="host variable with the key")
    parser.add_argument("--user-structure", choices=["tool", "schema", "text"], help="how its answers get their form")
    parser.add_argument("--user-max-tokens", type=int, metavar="N", help="longest answer, thinking included")
    parser.add_argument("--prompt", action="store_true", help="print the prompt and ask nobody")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Ask again and print both decisions, or how the recorded one failed; exit 0 whatever is decided."""
    from swe_together.simulator import find_recording, read_decisions
    from swe_together.tasks import load_task

    task = load_task(options.task)
    records = read_decisions(find_recording(options.recording, task.name))
    record = next((one for one in records if one.turn == options.turn), None)
    if record is None:
        turns = ", ".join(str(one.turn) for one in records)
        raise MisuseError(f"The recording has no decision for turn {options.turn}.", f"Turns it has: {turns}.")
    if record.call is None:
        raise MisuseError(
            f"No model took part in the decision after turn {options.turn} (policy {record.policy!r}).",
            "Give a turn that a model decided; its line in decisions.jsonl has a call.",
        )
    user = _user(options, record)
    earlier = [one for one in records if one.turn < options.turn]
    if options.prompt:
        request = user.request(user.resume(earlier, record), record.observation, yielded=True)
        print(f"{request.system}\n\n{'-' * 80}\n\n{request.text}")
        return 0
    decision = asyncio.run(user.decide_again(earlier, record))
    same_prompt = user.last_call is not None and user.last_call.prompt_sha256 == record.call.prompt_sha256
    recorded = record.decision
    again: dict[str, object] = {
        "recorded": recorded.model_dump(mode="json", exclude={"facts"}) if recorded is not None else None,
        "recorded_error": record.error,
        "again": decision.model_dump(mode="json", exclude={"facts"}),
        "same_prompt": same_prompt,
        "same_decision": decision == recorded,
        "call": user.last_call.model_dump(mode="json") if user.last_call is not None else None,
    }
    if options.json:
        print(json.dumps(again, indent=1, ensure_ascii=False))
    else:
        _show(record, again)
    return 0


def _user(options: argparse.Namespace, record: "DecisionRecord") -> "ModelUser":
    from swe_together.simulator.model import AnchoredUser, Background, FreeUser, LiteLLMModel
    from swe_together.simulator.model.fake import ListedModel
    from swe_together.tasks import load_task

    task = load_task(options.task)
    name = options.policy or record.policy
    if name not in ("anchored", "llm"):
        raise MisuseError(f"The recorded policy {name!r} asks no model.", "Name one: --policy anchored or llm.")
    maker = AnchoredUser if name == "anchored" else FreeUser
    model = ListedModel([]) if options.prompt else LiteLLMModel(_settings(options, record))
    session_sec = record.call.session_sec if record.call else None
    return maker(task.script, Background.of(task), model, session_sec=session_sec)


def _settings(options: argparse.Namespace, record: "DecisionRecord") -> "ModelSettings":
    from swe_together.simulator.model import ModelSettings

    call = record.call
    recorded = ModelSettings(call.model if call else "", call.temperature if call else None)
    told = {
        "model": options.user_model,
        "temperature": options.user_temperature,
        "base_url": options.user_base_url,
        "api_key_env": options.user_api_key_env,
        "structure": options.user_structure,
        "max_tokens": options.user_max_tokens,
    }
    return dataclasses.replace(recorded, **{name: value for name, value in told.items() if value is not None})


def _show(record: "DecisionRecord", again: dict[str, object]) -> None:
    from rich.console import Console

    console = Console(soft_wrap=True, highlight=False, markup=False)
    for title in ("recorded", "again"):
        decision = again[title]
        if isinstance(decision, dict):
            said = decision["message"] if decision["message"] is not None else f"(silence; end: {decision['end']})"
            console.print(f"{title}: {decision['action'] or 'said'} {', '.join(decision['anchors'])}\n  {said}")
            console.print(f"  {decision['reason']}")
            if decision["guards"]:
                console.print(f"  guards: {'; '.join(decision['guards'])}")
        else:
            console.print(f"{title}: failed\n  {again['recorded_error']}")
    console.print(f"prompt: {'the same' if again['same_prompt'] else 'another'} (turn {record.turn})")
