"""Items of the bar that concern what a contributor's files give away or leave open. They need no container."""

import hashlib
import re
from pathlib import Path
from typing import Final

from swe_together.defaults import TASK_FILE_BYTES
from swe_together.pipeline.check.model import Verdict
from swe_together.pipeline.check.request import answer_lines
from swe_together.pipeline.check.subject import Subject
from swe_together.schema import ArchiveSource, GitSource, RegistrySource, digest_of
from swe_together.tasks import TaskBundle

_QUOTED_WORDS: Final = 6
"""So many words in a row of a later message are no chance."""
_FETCH: Final = re.compile(
    r"""(?:^|RUN\s+|['"(]\s*)(?:[A-Z_]+=\S+\s+)*"""
    r"(pip3? (?:install|download)|npm (?:install|i|pack|ci)|go (?:get|install)|apt-get download"
    r"|curl|wget|git (?:clone|fetch))\b"
)
_PINNED: Final = {
    "pip": re.compile(r"--require-hashes|==[\w.]+|\.whl\b|\s\.(?:\s|$)"),
    "npm": re.compile(r"npm ci\b|@[0-9][\w.+-]*|npm pack\s*$"),
    "go": re.compile(r"@v?[0-9]"),
    "apt-get": re.compile(r"download(?:\s+[^\s=]+=\S+)+"),
}
"""What a fetching command must say of a version; the others are pinned by a digest in the same RUN."""
_DIGEST: Final = re.compile(r"sha256sum|\b[0-9a-f]{40}\b")


def instruction_keeps_quiet(bundle: TaskBundle, subject: Subject) -> Verdict:
    """The first message holds neither the answer nor a later wish."""
    text = bundle.instruction
    lines = {line.strip() for line in text.splitlines()}
    answers = sorted(answer_lines([*subject.stages.values(), *(proof.path for proof in subject.alt)]) & lines)
    problems = [f"instruction.md holds a line of the solution: {line[:80]!r}" for line in answers]
    if " ".join(text.split()) == " ".join(bundle.spec.split()):
        problems.append("instruction.md is the whole contract of spec.md")
    runs = _runs(text)
    for anchor in bundle.script.anchors:
        if said := sorted(_runs(anchor.message) & runs):
            problems.append(f"instruction.md says already what the anchor {anchor.id} is to say: {' '.join(said[0])!r}")
    return Verdict.of("instruction keeps quiet", problems, "neither the answer nor a later wish")


def words_are_own(bundle: TaskBundle) -> Verdict:
    """No message of a task stands as it was recorded in the session that the task comes from."""
    recorded = {message.sha256: message.turn for message in bundle.session.messages if message.sha256 is not None}
    script = bundle.script
    said = [("instruction.md", bundle.instruction), ("spec.md", bundle.spec)]
    said += [(f"simulator.md: the message of {one.id}", one.message) for one in script.anchors]
    said += [
        (f"simulator.md: a variant of {one.id}", variant.message) for one in script.anchors for variant in one.variants
    ]
    said += [(f"session.json: turn {one.turn}", one.text) for one in bundle.session.messages if one.text is not None]
    problems = [
        f"{where} has the recorded words of turn {recorded[digest]}: say it in words of your own"
        for where, words in said
        if (digest := digest_of(words)) in recorded
    ]
    return Verdict.of("own words", problems, "no message stands as it was recorded")


def image_is_pinned(bundle: TaskBundle) -> Verdict:
    """What the image is made of doesn't change: bases have a tag, downloads a version, the code base its digest."""
    file = bundle.path / "environment" / "Dockerfile"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    problems = [] if text else ["environment/Dockerfile is missing"]
    text = re.sub(r"(?m)^\s*#.*$", "", text)
    stages: set[str] = set()
    for image, name in re.findall(r"(?mi)^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", text):
        tag = image.rpartition("/")[2].partition(":")[2]
        if image not in stages and "@sha256:" not in image and tag in ("", "latest"):
            problems.append(f"FROM {image} names no version: write a tag other than latest, or a digest")
        stages.add(name)
    fetches = [(command, instruction) for instruction in _instructions(text) for command in _commands(instruction)]
    problems += [
        f"{command.strip()[:80]!r} fetches something without version or digest"
        for command, instruction in fetches
        if _open(command, instruction)
    ]
    downloads = any(_FETCH.search(command.strip()) for command, _ in fetches)
    problems += _code_base(file.parent, bundle.metadata.source, downloads)
    return Verdict.of("image is pinned", problems, "bases, downloads and the code base have versions or digests")


def _code_base(folder: Path, source: RegistrySource | GitSource | ArchiveSource, downloads: bool) -> list[str]:
    """What of the code base nothing pins: an archive beside the Dockerfile is looked at itself."""
    if isinstance(source, ArchiveSource):
        archive = folder / source.archive
        if not archive.is_file():
            return [f"environment/{source.archive} is missing, which task.toml names for the code base"]
        with archive.open("rb") as content:
            same = hashlib.file_digest(content, "sha256").hexdigest() == source.sha256
        return [] if same else [f"environment/{source.archive} isn't the archive that task.toml names by its sha256"]
    pin = source.sha256 if isinstance(source, RegistrySource) else source.commit
    if not downloads or pin in _context(folder):
        return []
    return [f"nothing in environment/ checks {pin[:12]}…, which task.toml names for the code base"]


def _context(folder: Path) -> str:
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and path.stat().st_size <= TASK_FILE_BYTES]
    return "".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def _instructions(dockerfile: str) -> list[str]:
    return dockerfile.replace("\\\n", " ").splitlines()


def _commands(instruction: str) -> list[str]:
    return re.split(r"&&|;|\|\|", instruction)


def _open(command: str, instruction: str) -> bool:
    """Whether a command fetches something that nothing pins."""
    found = _FETCH.search(command.strip())
    if found is None:
        return False
    pinned = _PINNED.get(found[1].split()[0].removesuffix("3"))
    return (pinned is None or pinned.search(command) is None) and not (pinned is None and _DIGEST.search(instruction))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[\w'.]+", text.casefold())
    return {tuple(words[start : start + _QUOTED_WORDS]) for start in range(len(words) - _QUOTED_WORDS + 1)}
