"""``swe-together redact``."""

import argparse
from pathlib import Path

from swe_together.errors import MisuseError, TogetherError

HELP = "write transcripts without secrets and personal data"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="transcripts of any format, or text")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="where the copies go")
    parser.add_argument(
        "--salt", type=Path, metavar="FILE", help="secret that keys the placeholders; made where it isn't there. "
        "Without it each run has its own, and placeholders of two runs can't be compared"
    )  # fmt: skip
    parser.add_argument(
        "--repository", action="append", default=[], metavar="OWNER/NAME", help="public repository whose name stays"
    )
    parser.add_argument("--keep", action="append", default=[], metavar="NAME", help="name that stays")
    parser.add_argument("--hide", action="append", default=[], metavar="WORD", help="word that goes, found or not")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="JSON Lines: place, kind, family, digest and length of each. The "
        "length is that of the value as it was learnt, in bytes, not of the stretch that was replaced"
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Redact the files: 1 when one of them was refused; the others are written."""
    import json

    from swe_together.files import write_atomically
    from swe_together.pipeline.privacy import Policy, Redactor, Report, Salt, learn_file, redact_file

    output = options.output.resolve()
    if options.salt and options.salt.resolve().is_relative_to(output):
        raise MisuseError(f"--salt {options.salt}: a salt beside the data undoes it.", "Keep it elsewhere.")
    salt = Salt.load(options.salt) if options.salt else Salt.fresh()
    redactor = Redactor(salt, Policy(tuple(options.repository), tuple(options.keep), tuple(options.hide)))
    rows: list[str] = []
    targets: dict[Path, Path] = {}
    total, refused = Report(), 0
    for source in options.files:
        try:
            learn_file(source, redactor)
        except TogetherError as error:
            refused += 1
            print(f"{source}: refused, nothing written: {error}")
            continue
        target = output / redactor.text(source.name).value
        if target in targets or target == source.resolve():
            raise MisuseError(f"{source}: its copy would overwrite {targets.get(target, source)}.", "Name another -o.")
        targets[target] = source
    for target, source in targets.items():
        report = redact_file(source, target, redactor)
        total.extend(report)
        rows += [json.dumps({"file": target.name, **row}) for row in report.rows()]
        print(f"{target.name}: {len(report.findings)} replaced, {len(report.problems)} lines left out")
    for kind, count in total.counts().items():
        print(f"  {count:6} {kind}")
    if total.pictures:
        print(f"{total.pictures} pictures or other binary bodies were kept: look at them yourself.")
    if options.report:
        write_atomically(options.report, "".join(f"{row}\n" for row in rows))
    return 1 if refused else 0
