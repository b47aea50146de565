"""``swe-together pack``."""

import argparse
import re
from pathlib import Path

from swe_together.errors import MisuseError

DATASET = "swe-together"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("tasks", nargs="+", type=Path, metavar="TASK", help="task directories")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a folder that isn't there yet")
    parser.add_argument("--sealed", action="store_true", help="close the agent's network during its turns")
    parser.add_argument(
        "--dataset",
        default=DATASET,
        metavar="NAME[@VERSION]",
        help=f"name of the dataset (default: {DATASET}); sealed, -sealed is added to it",
    )


def run(options: argparse.Namespace) -> int:
    """Pack: 0 when the folder was written."""
    from swe_together.pipeline.pack import pack

    name, at, version = options.dataset.partition("@")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name) or (at and not version):
        raise MisuseError(f"--dataset {options.dataset} is no name.", "Write NAME or NAME@VERSION, without slashes.")
    name = f"{name}-sealed" if options.sealed else name
    packed = pack(options.tasks, options.output, dataset=name, version=version or None, sealed=options.sealed)
    for task in packed:
        print(f"{task.name}  task digest {task.digest}  Harbor's sha256:{task.content}")
    print(f"{len(packed)} task{'' if len(packed) == 1 else 's'} as dataset {name} in {options.output}")
    return 0
