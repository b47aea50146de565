"""``swe-together schema``: the JSON Schemas in ``docs/schema/``, generated from the models."""

import argparse
import json
from pathlib import Path

from swe_together.errors import TogetherError
from swe_together.files import write_atomically

HELP = "write or check the JSON Schemas in docs/"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--check", action="store_true", help="exit 1 where a file differs from its model")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/schema"), help="folder (docs/schema)")


def run(options: argparse.Namespace) -> int:
    """Write the schemas, or compare them."""
    from pydantic import BaseModel

    from swe_together import schema

    models: dict[str, type[BaseModel]] = {
        "task-metadata": schema.TaskMetadata,
        "simulator": schema.SimulatorScript,
        "rubric": schema.Rubric,
        "rubric-draft": schema.DraftRubric,
        "intents": schema.Intents,
        "session": schema.SourceSession,
        "reward-details": schema.TestReport,
        "session-record": schema.SessionRecord,
        "decision-record": schema.DecisionRecord,
        "audit-report": schema.AuditReport,
        "persons-turn": schema.PersonsTurn,
        "judgement": schema.Judgement,
        "message-tags": schema.MessageTags,
        "intent-coverage": schema.IntentCoverage,
        "trial-ledger": schema.TrialLedger,
    }
    for name, model in models.items():
        path = options.output / f"{name}.schema.json"
        text = json.dumps(model.model_json_schema(by_alias=True), indent=1, sort_keys=True) + "\n"
        if not options.check:
            write_atomically(path, text)
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            raise TogetherError(f"{path} differs from its model.", "Run: swe-together schema")
    print(f"{len(models)} schemas {'agree with their models' if options.check else f'written to {options.output}'}")
    return 0
