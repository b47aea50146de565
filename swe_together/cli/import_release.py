"""``swe-together import-release``."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError, TaskError

if TYPE_CHECKING:
    from swe_together.pipeline.release import Lacks

HELP = "convert tasks of the paper's release to our format, and say what each lacks"
REPORT = "import-release.json"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the release, its tasks/, or one task")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="write the converted tasks there")


def run(options: argparse.Namespace) -> int:
    """Say what each task lacks, and convert them with ``-o``: 1 when a task can't be read."""
    from swe_together.files import write_atomically
    from swe_together.pipeline.release import convert, examine_released, find_released
    from swe_together.released import read_released

    paths = find_released(options.folder)
    if options.output is not None and options.output.exists() and any(options.output.iterdir()):
        raise MisuseError(f"{options.output} isn't empty.", "Name a new folder.")
    found, broken = [], []
    for path in paths:
        try:
            task = read_released(path)
            found.append(examine_released(task))
        except TaskError as error:
            broken.append(str(error))
            continue
        if options.output is not None:
            convert(task, options.output)
    _show(found)
    for sentence in broken:
        print(sentence, file=sys.stderr)
    if options.output is not None:
        report = {"tasks": [asdict(one) for one in found], "broken": broken}
        write_atomically(options.output / REPORT, json.dumps(report, indent=1, ensure_ascii=False) + "\n")
        print(f"{len(found)} tasks written to {options.output}; {options.output / REPORT} says what each lacks.")
    return 1 if broken else 0


def _show(found: Sequence["Lacks"]) -> None:
    from swe_together.pipeline.release import KINDS

    for one in found:
        print(one.task)
        for kind, sentence in one.sentences.items():
            print(f"  {kind}: {sentence}")
    counts = Counter(kind for one in found for kind in one.sentences)
    print(f"\n{len(found)} tasks. " + ", ".join(f"{kind} {counts[kind]}" for kind in KINDS))
