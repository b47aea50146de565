"""A bundle as a file: the same content gives the same bytes; nothing in a foreign one is followed or trusted."""

import gzip
import hashlib
import os
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

from pydantic import ValidationError

from swe_together.errors import MisuseError, TogetherError
from swe_together.report.submission._manifest import MANIFEST, FileEntry, Manifest

MANIFEST_BYTES: Final = 256_000_000
BUNDLE_BYTES: Final = 64_000_000_000
_CHUNK: Final = 1 << 20
_NAME_CHARS: Final = 1000


class BundleError(TogetherError):
    """A bundle can't be unpacked: it is no bundle, or it tries something."""


def pack(files: Mapping[str, Path], manifest: Manifest, output: Path) -> None:
    """Write a bundle, whole or not at all.

    Args:
        files: Files by their names in the bundle.
        manifest: Comes first, so that a reader knows what to expect.
        output: The ``.tar.gz``.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{output.name}.", dir=output.parent) as folder:
        fresh = Path(folder) / "bundle"
        with (
            fresh.open("wb") as raw,
            # Neither name nor time of this run may stand in the file.
            gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as zipped,
            tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            text = manifest.model_dump_json(indent=1).encode()
            part = Path(folder) / "manifest"
            part.write_bytes(text)
            for name, path in [(MANIFEST, part), *sorted(files.items())]:
                member = tarfile.TarInfo(name)
                member.size, member.mode = path.stat().st_size, 0o644
                with path.open("rb") as file:
                    archive.addfile(member, file)
        fresh.chmod(0o644)
        fresh.replace(output)


def unpack(bundle: Path, folder: Path) -> Manifest:
    """Unpack a bundle that anybody may have made, into an empty folder.

    Raises:
        MisuseError: There is no such file.
        BundleError: It is no bundle; a member has a bad name, is no plain file, stands there twice, isn't in the
            manifest, is larger than it says, or has another digest; or one is missing.
    """
    if not bundle.is_file():
        raise MisuseError(f"{bundle}: there is no such bundle.", "Make one: swe-together submit prepare JOB -o FILE.")
    try:
        with tarfile.open(bundle, mode="r|gz") as archive:
            return _unpack(archive, folder)
    except (tarfile.TarError, EOFError, OSError, UnicodeError, ValueError) as error:
        raise BundleError(f"{bundle} is no bundle that can be read: {str(error)[:200]}.") from None


def _unpack(archive: tarfile.TarFile, folder: Path) -> Manifest:
    manifest: Manifest | None = None
    left: dict[str, FileEntry] = {}
    for member in archive:
        check_name(member.name)
        file = archive.extractfile(member) if member.type in (tarfile.REGTYPE, tarfile.AREGTYPE) else None
        if file is None:
            raise BundleError(f"{_shown(member.name)} is no plain file.", "A bundle holds plain files alone.")
        if manifest is None:
            manifest = _manifest(member, file)
            left = dict(manifest.files)
            continue
        entry = left.pop(member.name, None)
        if entry is None:
            raise BundleError(f"{_shown(member.name)} is not in the manifest, or there twice.", "Prepare it anew.")
        if member.size != entry.size:
            raise BundleError(f"{member.name} has {member.size} bytes; the manifest says {entry.size}.")
        if _copy(file, folder / member.name) != entry.sha256:
            raise BundleError(f"{member.name} is not the file that the manifest tells of: its digest differs.")
    if manifest is None:
        raise BundleError("The bundle is empty.")
    if left:
        raise BundleError(f"{len(left)} files of the manifest are missing, the first is {_shown(min(left))}.")
    return manifest


def check_name(name: str) -> None:
    """Refuse a name that could lead out of the folder, or that isn't one.

    Raises:
        BundleError: It is absolute, has an empty part, ``.`` or ``..``, a backslash or a control sign, or is too long.
    """
    parts = name.split("/")
    bad = any(part in ("", ".", "..") or len(os.fsencode(part)) > 255 for part in parts)
    if bad or len(name) > _NAME_CHARS or "\\" in name or not name.isprintable():
        raise BundleError(f"{_shown(name)} is no name for a file of a bundle.", "Don't use this bundle.")


def file_entry(path: Path) -> FileEntry:
    """Size and digest of a file."""
    with path.open("rb") as file:
        return FileEntry(size=path.stat().st_size, sha256=hashlib.file_digest(file, "sha256").hexdigest())


def _manifest(member: tarfile.TarInfo, file: IO[bytes]) -> Manifest:
    if member.name != MANIFEST or member.size > MANIFEST_BYTES:
        raise BundleError(f"The bundle begins with {_shown(member.name)}, not with {MANIFEST}.")
    try:
        manifest = Manifest.model_validate_json(file.read())
    except ValidationError as error:
        raise BundleError(f"{MANIFEST}: {error.errors(include_url=False, include_input=False)[0]['msg']}.") from None
    for name in manifest.files:
        check_name(name)
    if sum(entry.size for entry in manifest.files.values()) > BUNDLE_BYTES:
        raise BundleError(f"The bundle says that it holds more than {BUNDLE_BYTES:,d} bytes.")
    return manifest


def _copy(source: IO[bytes], target: Path) -> str:
    target.parent.mkdir(parents=True, exist_ok=True)
    found = hashlib.sha256()
    with target.open("xb") as file:
        while chunk := source.read(_CHUNK):
            found.update(chunk)
            file.write(chunk)
    return found.hexdigest()


def _shown(name: str) -> str:
    return repr(name if len(name) <= 120 else f"{name[:119]}…")
