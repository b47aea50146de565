"""How an image of a code base is made: tools by language, the tree as one commit, its dependencies as it names them."""

import io
import json
import re
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from swe_together import defaults
from swe_together.gaps import review
from swe_together.pipeline.base import Repository, Tree
from swe_together.pipeline.toolchains import COMMON, TOOLCHAINS
from swe_together.schema import Language

ARCHIVE: Final = "repository.tar"
_PACKAGES: Final = re.compile(r"^requirements(?:[-_.](?:dev|test|tests))?\.txt$")
_SEAL: Final = (
    "RUN su agent -c 'git init -q -b main && git add -A -f && git -c user.name=maintainer"
    ' -c user.email=maintainer@localhost commit -q -m "Import" && git gc -q --prune=now\''
)


@dataclass(frozen=True)
class Recipe:
    """An image.

    Attributes:
        dockerfile: Its text.
        exclude: Paths that a session's final state leaves out, relative to ``/``.
        reviews: What a person should look at.
    """

    dockerfile: str
    exclude: tuple[str, ...]
    reviews: tuple[str, ...]


def recipe_for(language: Language, repository: Repository, tree: Tree, *, git: tuple[str, str] | None = None) -> Recipe:
    """The image of a code base.

    Args:
        language: Its main language.
        repository: Where its files lie.
        tree: Its files.
        git: URL and commit that the image fetches; without them it holds ``repository.tar``, which lies beside the
            Dockerfile.
    """
    steps = list(_dependencies(language, repository, tree))
    npm = ["npm"] if steps and "nodejs" in TOOLCHAINS[language] else []
    tools = " ".join(sorted({*COMMON, *TOOLCHAINS[language], *npm}))
    lines = [
        "FROM debian:trixie-slim",
        "STOPSIGNAL SIGKILL",
        "RUN apt-get update \\",
        f" && apt-get install -y --no-install-recommends {tools} \\",
        " && rm -rf /var/lib/apt/lists/* \\",
        f" && useradd --create-home --uid 1000 --shell /bin/bash {defaults.AGENT_USER}",
    ]
    if git is None:
        lines += [f"ADD {ARCHIVE} {defaults.WORKSPACE}/", f"RUN chown -R agent:agent {defaults.WORKSPACE}"]
    else:
        lines[:0] = [
            "FROM debian:trixie-slim AS source",
            "RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git",
            "WORKDIR /src",
            f"RUN git init -q tree && cd tree && git fetch -q --depth 1 {git[0]} {git[1]} \\",
            " && git checkout -q FETCH_HEAD && rm -rf .git",
            "",
        ]
        lines += [f"COPY --from=source --chown=agent:agent /src/tree {defaults.WORKSPACE}"]
    lines += [f"WORKDIR {defaults.WORKSPACE}", _SEAL, *(step for step, _, _ in steps)]
    reviews = [why for _, why, _ in steps]
    return Recipe(
        "\n".join(lines) + "\n",
        tuple(path for _, _, left_out in steps for path in left_out),
        tuple(review(f"environment/Dockerfile: {why}; nothing says that it is all the tests need") for why in reviews),
    )


def _dependencies(language: Language, repository: Repository, tree: Tree) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Steps that install what the code base names, why, and which paths they make."""
    if language == "python":
        files = sorted(path for path in tree if _PACKAGES.match(path))
        told = [f"-r {name}" for name in files]
        told += [f"'{one}'" for one in _python_packages(repository, tree) if "'" not in one]
        project = ["pyproject.toml"] if len(told) > len(files) else []
        if told:
            yield (
                f"RUN python3 -m pip install --break-system-packages --no-cache-dir {' '.join(told)}",
                f"packages of {' and '.join([*files, *project])} are installed",
                (),
            )
    elif language in ("javascript", "typescript") and _node_needs(repository, tree):
        how = "ci" if "package-lock.json" in tree else "install"
        yield (
            f"RUN su agent -c 'npm {how} --no-audit --no-fund' && rm -rf /home/agent/.npm",
            "packages of package.json are installed",
            (f"{defaults.WORKSPACE[1:]}/node_modules",),
        )
    elif language == "go" and "go.sum" in tree:
        yield "RUN su agent -c 'go mod download'", "modules of go.mod are fetched", ()
    elif language == "rust" and "Cargo.toml" in tree and "Cargo.lock" in tree:
        yield "RUN su agent -c 'cargo fetch --locked'", "crates of Cargo.lock are fetched", ()


def _python_packages(repository: Repository, tree: Tree) -> list[str]:
    value = _parsed(repository, tree, "pyproject.toml", tomllib.loads)
    project = value.get("project")
    listed = project.get("dependencies") if isinstance(project, dict) else None
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def _node_needs(repository: Repository, tree: Tree) -> bool:
    value = _parsed(repository, tree, "package.json", json.loads)
    return any(value.get(name) for name in ("dependencies", "devDependencies", "workspaces"))


def _parsed(repository: Repository, tree: Tree, path: str, parse: Any) -> dict[str, Any]:
    if path not in tree:
        return {}
    try:
        value = parse(repository.blob(tree[path].sha).decode("utf-8"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def write_archive(repository: Repository, tree: Tree, when: float, path: Path) -> list[str]:
    """Write a tree as an archive that is the same byte for byte each time.

    Args:
        repository: Where the files lie.
        tree: The files.
        when: Seconds since 1970 that every file bears as its time.
        path: The archive.

    Returns:
        Paths that are left out, since the repository doesn't hold their content.
    """
    missing = []
    path.parent.mkdir(parents=True, exist_ok=True)
    ordered = sorted(tree.items())
    contents = dict(repository.blobs(sorted({file.sha for _, file in ordered if file.mode != "160000"})))
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for name, file in ordered:
            member = tarfile.TarInfo(name)
            member.mtime = int(when)
            member.mode = 0o755 if file.mode == "100755" else 0o644
            data = contents.get(file.sha)
            if file.mode == "160000":
                member.type, member.mode, data = tarfile.DIRTYPE, 0o755, b""
            elif data is None:
                missing.append(name)
                continue
            elif file.mode == "120000":
                member.type, member.linkname, data = tarfile.SYMTYPE, data.decode("utf-8", "surrogateescape"), b""
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return missing
