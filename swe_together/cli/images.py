"""``swe-together images``."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

HELP = "build the images of tasks and publish them in a registry of your own"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("tasks", nargs="+", type=Path, metavar="TASK", help="task directories")
    parser.add_argument("--registry", required=True, metavar="HOST/OWNER", help="e.g. ghcr.io/OWNER")
    parser.add_argument("--push", action="store_true", help="push them; docker must be logged in there")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the images, by digest, as JSON")


def run(options: argparse.Namespace) -> int:
    """Build and publish; prints one line a task."""
    from swe_together.files import write_atomically
    from swe_together.pipeline.images import publish

    found = publish(options.tasks, options.registry, push=options.push)
    for one in found:
        print(f"{one.task} {one.pinned or one.image}")
    if options.output:
        write_atomically(options.output, json.dumps([asdict(one) for one in found], indent=1) + "\n")
    return 0
