"""The texts of a draft: front matter with the reasons of its rules, task.toml, README."""

import json
import re
import textwrap
from typing import Any, Final

import yaml

from swe_together import defaults
from swe_together.gaps import gap, review
from swe_together.pipeline.build._anchors import DraftAnchor
from swe_together.pipeline.build._phrases import ENGLISH, PHRASES, Phrases
from swe_together.pipeline.build._plan import Plan
from swe_together.schema import ArchiveSource, Recording, SessionMessage, SourceSession, digest_of

_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_TOML: Final = """\
schema_version = "1.4"
artifacts = [{{ source = "/var/lib/swe-together" }}]

[task]
name = "swe-together/{name}"
description = {description}
keywords = [{keywords}]

[metadata.swe_together]
format = 1
language = "{language}"
category = "{category}"
difficulty = "medium"
provenance = "recorded"
license = {license}
trees = ["{workspace}"]
exclude = {exclude}
source = {source}

[agent]
timeout_sec = 7200
user = "agent"

[verifier]
timeout_sec = 1800
environment_mode = "separate"

[[verifier.collect]]
command = "written by swe-together fmt"
user = "root"
timeout_sec = 300

[environment]
build_timeout_sec = 1800
cpus = 1
memory_mb = 4096
storage_mb = 8192
workdir = "{workspace}"
"""


def simulator_text(plan: Plan) -> str:
    """``simulator.md``: what rules have written stands under the reason for it."""
    language = {} if plan.tongue == ENGLISH else {"language": plan.tongue}
    persona = {"description": plan.prose.persona, **language, "on_question": _question(plan)}
    parts = [_yaml({"persona": persona}), "anchors:" if plan.anchors else "anchors: []"]
    parts += [_anchor(one) for one in plan.anchors]
    return "---\n" + "\n".join(part.rstrip("\n") for part in parts) + f"\n---\n{plan.prose.analysis.strip()}\n"


def toml_text(plan: Plan) -> str:
    """``task.toml``; what nobody has said is a gap."""
    return _TOML.format(
        name=plan.name,
        description=_string(plan.prose.description),
        keywords=_string(plan.language),
        language=plan.language,
        category="bugfix" if _mends(plan) else "feature",
        license=_string(plan.license),
        workspace=defaults.WORKSPACE,
        exclude=json.dumps(list(plan.exclude)),
        source=_source(plan),
    )


def session_of(plan: Plan) -> SourceSession:
    """``session.json``: facts of the recorded messages; their words only where the task stays on this machine."""
    origin = plan.session.origin
    told = f"Recorded by {origin.format}{f' {origin.version}' if origin.version else ''}, session {origin.session_id}."
    labels = {one.anchor.source_turn: one.label for one in plan.anchors}
    messages = [
        SessionMessage(
            turn=turn.number, text=None if plan.passed_on else turn.text, chars=len(turn.text),
            tags=[tag.value for tag in labels[turn.number].tags] if turn.number in labels else [],
            sha256=digest_of(turn.text), record=turn.humans[0].record,
        )
        for turn in plan.turns
    ]  # fmt: skip
    recording = Recording(
        format=origin.format, session_id=origin.session_id, sha256=plan.file_sha256, repository=plan.address,
        commit=plan.base.commit.sha if plan.base is not None else _whole(origin.commit),
    )  # fmt: skip
    return SourceSession(provenance="recorded", origin=told, recording=recording, messages=messages)


def _whole(commit: str | None) -> str | None:
    return commit if commit is not None and _COMMIT.fullmatch(commit) else None


def readme_text(plan: Plan, tests: str) -> str:
    """``README.md``: where everything comes from, and everything that a person should look at."""
    lines = [f"# {plan.name}", "", plan.prose.description, ""]
    lines.append(f"* **Session**: {session_of(plan).origin} {len(plan.turns)} messages.")
    if plan.base is not None:
        lines.append(f"* **Base**: {_base_told(plan)}")
    if plan.reference is not None:
        fidelity = plan.reference.fidelity
        source = "the session's commits" if fidelity.source == "commits" else "the recorded edits, done again"
        lines.append(f"* **Reference**: {source}; {fidelity}.")
        lines += [f"  * not done again: {path}: {why}" for path, why in fidelity.failed[:20]]
        lines += [f"  * by no edit of the agent: {path}" for path in fidelity.untouched[:20]]
    lines += [f"* **Tests**: {tests}", f"* **Written by**: {plan.prose.author}", ""]
    if plan.reviews:
        lines += ["## To be read by a person", "", *(f"* {one}" for one in plan.reviews), ""]
    return "\n".join(lines)


def _base_told(plan: Plan) -> str:
    assert plan.base is not None
    base, proof = plan.base, plan.base.proof
    made = "the session's first commit was made on it"
    held = f"all {len(proof.proven)} files of which the session recorded what they held were so there"
    told = {
        "proven": "proven: " + "; ".join([*([held] if proof.proven else []), *([made] if proof.parent else [])]),
        "partly": f"{len(proof.proven)} of {len(proof.proven) + len(proof.refuted)} files held there what the session"
        f" recorded of them, others did not: {', '.join(proof.refuted[:10])}",
        "unproven": "nothing that the session recorded proves it",
    }[base.strength]
    how = {
        "given": "as given", "record": "named by the session", "link": "the parent of the session's first commit",
        "branch": "the last commit of its branch before it began", "nearby": "found by what the files held",
        "time": "the last commit of the default branch before it began",
    }[base.source]  # fmt: skip
    return f"{base.commit.sha}, {how}; {told}."


def _anchor(one: DraftAnchor) -> str:
    fields = one.anchor.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    comments = [f"# {review(reason)}" for reason in one.reviews]
    first, _, rest = _yaml(fields).rstrip("\n").partition("\n")
    body = "\n".join(filter(None, [f"- {first}", *(f"  {comment}" for comment in comments), _indented(rest, "  ")]))
    return _indented(body, "  ")


def _indented(text: str, by: str) -> str:
    return textwrap.indent(text, by, lambda line: bool(line.strip()))


class _Dumper(yaml.SafeDumper):
    """Texts of several lines stand as they are."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = (
        "|" if "\n" in value and not any(line != line.rstrip() or "\t" in line for line in value.split("\n")) else None
    )
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def _yaml(value: Any) -> str:
    return yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110)


def _question(plan: Plan) -> str:
    said = {" ".join(turn.text.split()).casefold() for turn in plan.turns}
    answer = _phrases(plan).whatever
    return answer if answer not in said else f"{answer}!"


def _phrases(plan: Plan) -> Phrases:
    return PHRASES.get(plan.tongue, PHRASES[ENGLISH])


def _mends(plan: Plan) -> bool:
    return _phrases(plan).mends.search(plan.turns[0].text) is not None


def _source(plan: Plan) -> str:
    if plan.source is None:
        url, commit = plan.address or gap("https address of the repository"), gap("its commit of 40 digits")
        return f"{{ git = {_string(url)}, commit = {_string(commit)} }}"
    fields = plan.source.model_dump(mode="json")
    names = (
        ("repository", "commit", "archive", "sha256") if isinstance(plan.source, ArchiveSource) else ("git", "commit")
    )
    return "{ " + ", ".join(f"{name} = {_string(fields[name])}" for name in names) + " }"


def _string(value: str) -> str:
    """A basic string of TOML."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
