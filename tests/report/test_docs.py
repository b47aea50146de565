"""docs/report.md: its tables are those of the code. ``python -m tests.report.test_docs`` writes them anew."""

import re
from pathlib import Path

from swe_together.report import COLUMNS, GROUPINGS, METRICS, STATUSES
from swe_together.report._build import SUBSET_RULE
from swe_together.report._mixing import KINDS
from swe_together.report.submission._evidence import ALSO, ALWAYS, GRADED, JUDGED, SESSION

DOCS = Path(__file__).parents[2] / "docs" / "report.md"


def tables() -> dict[str, str]:
    columns = ["| column | type | meaning |", "|---|---|---|"]
    columns += [f"| `{c.name}` | {c.dtype.partition('[')[0].lower()} | {c.meaning} |" for c in COLUMNS]
    figures = ["| figure | in JSON | better | meaning |", "|---|---|---|---|"]
    figures += [f"| {m.title} | `{m.name}` | {m.better or '–'} | {m.meaning} |" for m in METRICS]
    statuses = ["| status | meaning |", "|---|---|", *(f"| `{name}` | {text} |" for name, text in STATUSES.items())]
    kinds = ["| `--mix` | of | must be the same within |", "|---|---|---|"]
    kinds += [f"| `{k.name}` | {k.what} | {', '.join(k.within).replace('_', ' ') or 'the report'} |" for k in KINDS]
    return {"columns": "\n".join(columns), "figures": "\n".join(figures), "statuses": "\n".join(statuses),
            "kinds": "\n".join(kinds)}  # fmt: skip


def filled(text: str) -> str:
    for name, table in tables().items():
        mark = re.compile(rf"<!-- {name} -->.*?<!-- /{name} -->", re.DOTALL)
        assert mark.search(text), name
        text = mark.sub(lambda _, name=name, table=table: f"<!-- {name} -->\n{table}\n<!-- /{name} -->", text)
    return text


def test_the_tables_are_those_of_the_code() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert filled(text) == text, "python -m tests.report.test_docs"


def test_every_grouping_rule_and_piece_of_evidence_is_named() -> None:
    text = " ".join(DOCS.read_text(encoding="utf-8").split())
    for name in (*GROUPINGS, *ALWAYS, *SESSION, *GRADED, *JUDGED, *ALSO):
        assert f"`{name}`" in text, name
    assert SUBSET_RULE in text


if __name__ == "__main__":
    DOCS.write_text(filled(DOCS.read_text(encoding="utf-8")), encoding="utf-8")
