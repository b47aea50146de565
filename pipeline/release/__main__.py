"""Writes the dataset's entry into the ``registry.json`` of the current folder, in place of the one that is there."""

import json
from pathlib import Path

from swe_together.files import write_atomically
from swe_together.pipeline.release import dataset_entry


def main() -> None:
    """Rewrite the file."""
    file = Path("registry.json")
    entry = dataset_entry()
    others = [known for known in json.loads(file.read_text(encoding="utf-8")) if known["name"] != entry["name"]]
    write_atomically(file, json.dumps([*others, entry], indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
