"""Bundles and evidence that are not to be trusted: links, keys, names that lead out, exchanged and broken files."""

import gzip
import io
import os
import tarfile
from pathlib import Path

import pytest

from swe_together.report.submission import BundleError, RefusedError, prepare
from swe_together.report.submission._archive import check_name
from swe_together.report.submission._secrets import find_secrets
from tests.report.submissions import KEY, Place, refusals, rewrite
from tests.support.jobs import dump


def test_links_and_strange_files_among_the_evidence_are_refused(place: Place) -> None:
    secret = place.folder / "secret.json"
    secret.write_text("{}")
    (place.trial / "trial.log").symlink_to(secret)
    assert "trial.log is a symbolic link" in refusals(place)
    (place.trial / "trial.log").unlink()
    os.mkfifo(place.trial / "exception.txt")
    assert "exception.txt is a symbolic link, or not what its name says" in refusals(place)
    (place.trial / "exception.txt").unlink()
    (place.job / "two__link").symlink_to(place.trial)
    assert "symbolic link" in refusals(place)


def test_keys_are_found_and_never_shown(place: Place) -> None:
    (place.trial / "trial.log").write_text(f"one\ntwo {KEY}\n")
    said = refusals(place)
    assert "trial.log: it holds a key of a model's provider in line 2" in said
    assert KEY not in said
    (place.trial / "trial.log").write_text("hunter2-hunter2\n")
    with pytest.raises(RefusedError, match="the value of the variable MY_API_KEY in line 1") as refused:
        prepare([place.job], place.bundle, tasks=place.tasks, environ={"MY_API_KEY": "hunter2-hunter2", "HOME": "job"})
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "ghp_" + "a" * 36, "github_pat_" + "a" * 30, "AKIA" + "A" * 16, "AIza" + "a" * 35, "hf_" + "a" * 34,
        "xoxb-" + "1" * 12, "-----BEGIN OPENSSH PRIVATE" + " KEY-----", "-----BEGIN PRIVATE" + " KEY-----",
        "sk-proj-" + "a" * 40,
    ],
)  # fmt: skip
def test_forms_of_keys(text: str) -> None:
    assert len(list(find_secrets(b"x " + text.encode() + b" y", {}))) == 1


def test_what_is_no_key() -> None:
    words = (
        b"task-sk-1 risk-free disk-usage-of-many-words-here sk-short AKIAshort SWE_TOGETHER_JUDGE_API_KEY " + b"a" * 64
    )
    assert list(find_secrets(words, {"PATH": "/usr/bin:/usr/sbin", "A_KEY": "short"})) == []


TRICKS = (
    "../outside", "/etc/passwd", "jobs/../../outside", "jobs//x", "jobs/./x", "", "jobs\\..\\x", "a\nb", "jobs/",
    "x" * 300, "/".join(["d"] * 600), "\u202etxt.exe",
)  # fmt: skip


@pytest.mark.parametrize("name", TRICKS)
def test_names_that_lead_out_or_are_none_are_refused(name: str) -> None:
    with pytest.raises(BundleError):
        check_name(name)


Member = tuple[tarfile.TarInfo, bytes]


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", data: bytes = b"") -> Member:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, len(data)
    return info, data


def hostile(bundle: Path, *extra: Member) -> None:
    """A good bundle with members behind it."""
    with tarfile.open(bundle) as archive:
        members = [(one, (archive.extractfile(one) or io.BytesIO()).read()) for one in archive]
    with tarfile.open(bundle, "w:gz") as archive:
        for info, data in [*members, *extra]:
            archive.addfile(info, io.BytesIO(data))


@pytest.mark.parametrize(
    "extra",
    [
        member("../outside", data=b"x"),
        member("/tmp/outside", data=b"x"),
        member("jobs/link", tarfile.SYMTYPE, "/etc/passwd"),
        member("jobs/hard", tarfile.LNKTYPE, "manifest.json"),
        member("jobs/pipe", tarfile.FIFOTYPE),
        member("jobs/device", tarfile.CHRTYPE),
        member("jobs/folder", tarfile.DIRTYPE),
        member("jobs/unheard-of", data=b"x"),
        member("manifest.json", data=b"{}"),
    ],
    ids=lambda one: f"{one[0].type.decode()} {one[0].name}",
)
def test_a_bundle_with_tricks_is_refused_and_nothing_gets_out(place: Place, extra: Member) -> None:
    place.prepare()
    before = sorted(place.folder.parent.rglob("outside"))
    hostile(place.bundle, extra)
    with pytest.raises(BundleError):
        place.validate()
    assert sorted(place.folder.parent.rglob("outside")) == before
    assert not Path("/tmp/outside").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_a_link_in_the_place_of_a_file_is_refused(place: Place, kind: bytes) -> None:
    """Even one to a file of the bundle with the very same content."""
    for name in ("one.json", "two.json"):
        dump(place.trial / "verifier" / "judge" / "votes" / name, {})
    folder = f"jobs/job/{place.trial.name}/verifier/judge/votes"
    place.prepare()
    with tarfile.open(place.bundle) as archive:
        members = [(one, (archive.extractfile(one) or io.BytesIO()).read()) for one in archive]
    with tarfile.open(place.bundle, "w:gz") as archive:
        for info, data in members:
            if info.name == f"{folder}/two.json":
                info.type, info.linkname = kind, f"{folder}/one.json" if kind == tarfile.LNKTYPE else "one.json"
            archive.addfile(info, io.BytesIO(data))
    with pytest.raises(BundleError, match="is no plain file"):
        place.validate()


def test_a_file_that_was_exchanged_or_taken_out_is_refused(place: Place) -> None:
    place.prepare()
    name = f"jobs/job/{place.trial.name}/result.json"
    rewrite(place.bundle, lambda files: files.update({name: files[name].replace(b"codex", b"xedoc")}))
    with pytest.raises(BundleError, match="its digest differs"):
        place.validate()
    place.prepare()
    rewrite(place.bundle, lambda files: files.pop(name))
    with pytest.raises(BundleError, match="1 files of the manifest are missing"):
        place.validate()


@pytest.mark.parametrize(
    "data",
    [b"", b"nonsense", gzip.compress(b""), gzip.compress(b"x" * 2000)],
    ids=["empty", "text", "nothing", "no tar"],
)
def test_what_is_no_bundle_is_refused(place: Place, data: bytes) -> None:
    place.bundle.write_bytes(data)
    with pytest.raises(BundleError):
        place.validate()


def test_half_a_bundle_is_refused(place: Place) -> None:
    data = place.prepare().read_bytes()
    place.bundle.write_bytes(data[: len(data) // 2])
    with pytest.raises(BundleError):
        place.validate()
