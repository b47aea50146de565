"""docs/agents.md, written from docs/agents.json (what tests found out) and from the adapter's table of facts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from swe_together.adapter.agent_facts import AGENT_FACTS, AgentFacts

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "agents.md"
RESULTS = ROOT / "docs" / "agents.json"

HOW = {
    "client": "real client in containers",
    "contract": "contract",
    "constructed only": "constructed only",
    "wrapped only": "wrapped only",
}
"""Ways of testing, from the strongest to the weakest."""

TEXT = """\
# Agents

Every agent that Harbor has built in goes through the same adapter: its own class, unchanged, below a subclass that
plays one user turn after the other. Classes of your own work the same way, by import path
(`-a swe_together.adapter.agents:my.module=MyAgent`, or `-a my.module:MyAgent` with the plugin).

This page is generated from test results: `python -m tests.bench.agents_matrix` (`--clients` and `--versions` run those
parts anew as well). The rows are those of Harbor {harbor}.

| agent | continuation | tokens | cost | trajectory | tested version | how tested |
|---|---|---|---|---|---|---|
{rows}

* **Continuation.** `native`: the agent goes on in its own conversation; terminus-2 in its own chat on the host.
  `restated`: Harbor's class can't resume it, so each later turn begins a new conversation with an honest account of the
  old one: every message and reply, and that the working tree holds the work. Results say which, and reports keep them
  apart. `--pk continuation=restated|fresh` asks for one of the others.
* **Tokens.** What Harbor learns of a turn. Sums count every turn once, whether an agent reports its turn, its
  conversation or the whole trial; what isn't reported is unknown and never 0, and then so is the sum. The reasoning,
  which is part of the output, is named where a real client showed that it is known; where a real client's row doesn't
  name it, Harbor's reader of that agent doesn't keep it.
* **Cost.** `reported` by the agent, `estimated` by Harbor from list prices where it knows the model, or unknown.
* **Trajectory.** Where there is none, the reply comes from the agent's log, and which commands it ran is unknown to the
  user and the judge. In all other ways a user sees the same of every agent.
* **How tested.** *Real client in containers*: the command line itself, three turns through stock Harbor against a fake
  model server, natively where it can (some restated as well), one call failing; tokens compared field by field with
  those that the server charged, for the session and each turn. terminus-2 asks the model from the host. *Contract*:
  Harbor's class below ours in a box that runs nothing, three turns with logs in the agent's own form: the decided words
  reach it exactly, continuation, reply, commands and usage of each turn are right, and unknown usage stays unknown.
  What a command line really writes, only its real client shows. *Constructed only*: the class is made below ours, and
  no more:
{reasons}

`oracle` and `nop` hold no session and run as they are.

## Facts about agents

All that the adapter knows of single agents; everything else it sees from what they leave.

| agent | fact | where it was found |
|---|---|---|
{facts}

## Versions of Harbor

`make test-harbor-versions` runs the adapter's tests that need no Docker, whole jobs in one process among them, with
each version. It takes about two minutes; the first time, each version is fetched.

| Harbor | passed | failed |
|---|---|---|
{versions}

Older versions read less of some agents: before 0.26 only the output tokens of copilot-cli, and nothing of fx; before
0.25 no trajectory of kimi-code; before 0.24 none of pi, and nothing of muse-code, which can't resume there.
"""


def read_results() -> dict[str, Any]:
    """The results that stand in the repository."""
    document: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return document


def best_rows(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row an agent: its facts from the strongest test that shows them, and what its real client showed."""
    order = list(HOW)
    best: dict[str, dict[str, Any]] = {}
    for row in results["rows"]:
        held = best.get(row["agent"])
        if held is None or order.index(row["how"]) < order.index(held["how"]):
            best[row["agent"]] = row
    for name, client in results["clients"].items():
        best[name] = {**best[name], "how": "client", "version": client["version"], "seen": client["tokens"]}
    return [best[name] for name in sorted(best)]


def render(results: Mapping[str, Any]) -> str:
    """The document."""
    rows = best_rows(results)
    reasons = [f"  * {row['agent']} needs {row['why']}." for row in rows if "why" in row]
    return TEXT.format(
        harbor=results["harbor"],
        rows="\n".join(_row(row, results["harbor"]) for row in rows),
        reasons="\n".join(reasons),
        facts="\n".join(
            _line([f"`{name}`", _fact(facts), facts.source]) for name, facts in sorted(AGENT_FACTS.items())
        ),
        versions="\n".join(
            _line([version, str(found["passed"]), str(found["failed"])])
            for version, found in results["versions"].items()
        ),
    )


def _row(row: Mapping[str, Any], harbor: str) -> str:
    shown = [f"`{row['agent']}`", row.get("continuation", "not known")]
    if row["how"] in ("client", "contract"):
        shown += [
            ", ".join(row.get("seen", row["tokens"])) or "unknown",
            row["cost"],
            "yes" if row["trajectory"] else "no",
        ]
    else:
        shown += ["not shown"] * 3
    version = f"{row['agent']} {row['version']}" if "version" in row else f"Harbor's class of {harbor}"
    return _line([*shown, version, HOW[row["how"]]])


def _fact(facts: AgentFacts) -> str:
    said = []
    if facts.tokens != "steps":
        said.append(f"its tokens are those of the {facts.tokens}")
    if facts.cost != "as tokens":
        said.append(f"its cost is that of its {facts.cost}")
    for total, name in facts.apart.items():
        said.append(f"to its {total.removesuffix('_tokens')} are added the `{name}` of its steps")
    if facts.reply is not None:
        said.append(f"without a trajectory its reply stands in `{facts.reply.file}`")
    if facts.one_conversation:
        folders = " and ".join(f"`{name}`" for name in facts.one_conversation)
        said.append(f"{folders} of earlier conversations are put aside")
    return "; ".join(said)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
