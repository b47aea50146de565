"""Planted secrets through the commands: none survives in a file, a request to a model, or what is printed."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.gaps import find_marks
from tests.pipeline.planted import HOME, answer, left_in, planted, plants, read_in
from tests.pipeline.privacy.plants import PLANTS
from tests.pipeline.recorded import BEFORE, FILES, at, commit, git, wordbox
from tests.support.fault_server.server import FaultServer

TOKEN = re.compile(r"REDACTED-github-token-[0-9a-f]{8}")


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with FaultServer(answer=answer) as one:
        yield one


@pytest.fixture
def model(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Arguments that name the model of the server, which has forgotten what it was asked."""
    server.restart({})
    monkeypatch.setenv("READER_KEY", "a-key")
    return ["--model", "openai/reader", "--base-url", server.base_url, "--api-key-env", "READER_KEY"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The repository of the session: what its agent cloned."""
    made, _ = wordbox(tmp_path / "wordbox")
    git(made, "remote", "add", "origin", "https://github.com/acme/tool.git")
    return made


def leaks(tmp_path: Path, values: tuple[str, ...], printed: str, server: FaultServer | None = None) -> list[str]:
    """All that can still be read of the values below ``out``, in what was printed, and in what the model was sent."""
    asked = json.dumps(server.bodies, ensure_ascii=False).encode() if server is not None else b""
    found = left_in(tmp_path / "out", values)
    found += [f"{value} was printed" for value in read_in(printed.encode(), values)]
    return found + [f"{value} was sent" for value in read_in(asked, values)]


def rows(report: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in report.read_text().splitlines()]


def test_the_look_for_leaks_sees_a_raw_session(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    values = planted(tmp_path / "out" / "s.jsonl")
    found = leaks(tmp_path, values, plants()[0])
    seen = {value for value in values if any(told.startswith(f"{value} in ") for told in found)}
    assert len(PLANTS) == 61 and seen == set(values)
    assert any(told.endswith("was printed") for told in found)
    assert read_in(b"id: ghp-ab3de6gh9jk2", ["ghp_aB3dE6gH9jK2"])


@pytest.mark.parametrize("more", [[], ["--archive"], None], ids=["fetched", "archive", "no repository"])
def test_an_imported_draft_holds_none(
    tmp_path: Path, folder: Path, more: list[str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    values = planted(tmp_path / "s.jsonl")
    repository = [] if more is None else ["--repo", str(folder), *more]
    task = tmp_path / "out" / "words"
    assert main(["import", str(tmp_path / "s.jsonl"), "-o", str(task), *repository]) == 0
    printed = capsys.readouterr().out
    assert leaks(tmp_path, values, printed) == []
    report = tmp_path / "out" / "words.redaction.jsonl"
    assert "redacted: " in printed and str(report) in printed
    assert {tuple(row) for row in rows(report)} == {("session", "place", "kind", "family", "digest", "length")}
    assert len({row["kind"] for row in rows(report)}) > 30
    if more is not None:
        assert "base " in printed and "proven)" in printed


def test_the_same_secret_reads_the_same_wherever_it_stands(tmp_path: Path, folder: Path) -> None:
    planted(tmp_path / "s.jsonl")
    task = tmp_path / "words"
    for output in (task, tmp_path / "again"):
        assert main(["import", str(tmp_path / "s.jsonl"), "-o", str(output), "--repo", str(folder)]) == 0
    shown = {path.relative_to(task): set(TOKEN.findall(path.read_text())) for path in task.rglob("*") if path.is_file()}
    tokens = set().union(*shown.values())
    kinds = sum(kind.startswith("github") for kind in PLANTS)
    assert len(tokens) == kinds, "each token of GitHub has one replacement"
    assert shown[Path("solution/turn-1.patch")] == tokens
    assert {path for path, seen in shown.items() if seen} >= {
        Path("instruction.md"), Path("simulator.md"), Path("spec.md"), Path("solution/turn-0.md"),
    }  # fmt: skip
    for name in ("session.json", "simulator.md"):
        assert (tmp_path / "again" / name).read_text() == (task / name).read_text()


def test_the_reference_fits_the_base_and_says_that_it_was_changed(tmp_path: Path, folder: Path) -> None:
    planted(tmp_path / "s.jsonl")
    task = tmp_path / "words"
    assert main(["import", str(tmp_path / "s.jsonl"), "-o", str(task), "--repo", str(folder)]) == 0
    for patch in sorted((task / "solution").glob("turn-*.patch")):
        subprocess.run(["git", "apply", str(patch)], cwd=folder, check=True)
    assert 'replace(";", ",")' in (folder / "wordbox.py").read_text()
    assert "# more\n" in (folder / "settings.txt").read_text()
    assert any("in the code were replaced" in mark.text for mark in find_marks(task))


@pytest.mark.parametrize("more", [[], ["--draft"]], ids=["construction", "draft"])
def test_what_is_built_and_what_the_model_is_sent_holds_none(
    tmp_path: Path, folder: Path, server: FaultServer, model: list[str], more: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    values = planted(tmp_path / "s.jsonl")
    command = ["build", str(tmp_path / "s.jsonl"), "--repo", str(folder), "-o", str(tmp_path / "out"), *model, *more]
    assert main(command) == 0
    assert len(server.bodies) == 1 and TOKEN.search(json.dumps(server.bodies))
    assert leaks(tmp_path, values, capsys.readouterr().out, server) == []
    (report,) = (tmp_path / "out").glob("*.redaction.jsonl")
    assert rows(report)


def test_what_is_screened_holds_none_and_an_answer_is_asked_for_once(
    tmp_path: Path, server: FaultServer, model: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    values = planted(tmp_path / "s.jsonl")
    out = tmp_path / "out"
    output, cache = out / "screened.jsonl", out / "cache"
    command = ["screen", str(tmp_path / "s.jsonl"), "-o", str(output), "--cache", str(cache), *model]
    assert main(command) == 0
    assert len(server.bodies) == 1 and TOKEN.search(json.dumps(server.bodies))
    assert leaks(tmp_path, values, capsys.readouterr().out, server) == []
    assert rows(out / "screened.redaction.jsonl")
    assert main(command) == 0 and len(server.bodies) == 1


def test_what_is_mined_stays_raw_and_what_the_model_is_sent_holds_none(
    tmp_path: Path, folder: Path, server: FaultServer, model: list[str]
) -> None:
    values = planted(tmp_path / "s.jsonl")
    command = ["mine", str(tmp_path / "s.jsonl"), "--repo", str(folder), "-o", str(tmp_path / "out"),
               "--no-containers"]  # fmt: skip
    assert main(command) == 0
    (task,) = (path.parent for path in (tmp_path / "out").glob("*/task.toml"))
    assert read_in((task / "session.json").read_bytes(), values)
    assert not list((tmp_path / "out").glob("*.redaction.jsonl"))
    assert main([*command, *model]) == 0
    assert len(server.bodies) == 1 and TOKEN.search(json.dumps(server.bodies))
    assert read_in(json.dumps(server.bodies, ensure_ascii=False).encode(), values) == []
    (report,) = (tmp_path / "out").glob("*.redaction.jsonl")
    assert rows(report) and read_in(report.read_bytes(), values) == []


def test_what_is_published_holds_none(
    tmp_path: Path, folder: Path, server: FaultServer, model: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    values = planted(tmp_path / "s.jsonl", code=False)
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    command = ["mine", str(tmp_path / "s.jsonl"), "--repo", str(folder), "-o", str(tmp_path / "out"),
               "--no-containers", "--publish", *model]  # fmt: skip
    assert main(command) == 0
    assert len(server.bodies) == 1
    assert leaks(tmp_path, values, capsys.readouterr().out, server) == []
    assert list((tmp_path / "out").glob("*/task.toml")) and list((tmp_path / "out").glob("*.redaction.jsonl"))


def test_who_says_raw_gets_files_as_recorded_and_the_model_gets_none(
    tmp_path: Path, folder: Path, server: FaultServer, model: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    values = planted(tmp_path / "s.jsonl")
    source, repository = str(tmp_path / "s.jsonl"), ["--repo", str(folder)]
    assert main(["import", source, "-o", str(tmp_path / "raw"), *repository, "--raw"]) == 0
    assert "keep it on this machine" in capsys.readouterr().out
    assert plants()[0].split("\n\n")[0] in (tmp_path / "raw" / "instruction.md").read_text()
    assert not (tmp_path / "raw.redaction.jsonl").exists()
    assert main(["build", source, "-o", str(tmp_path / "built"), *repository, *model, "--raw"]) == 0
    assert left_in(tmp_path / "built", values)
    assert len(server.bodies) == 1
    assert read_in(json.dumps(server.bodies, ensure_ascii=False).encode(), values) == []


def test_what_cannot_be_looked_through_is_neither_written_nor_sent(
    tmp_path: Path, folder: Path, server: FaultServer, model: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    planted(tmp_path / "s.jsonl")
    deep: object = "x"
    for _ in range(250):
        deep = [deep]
    text = (tmp_path / "s.jsonl").read_text()
    (tmp_path / "s.jsonl").write_text(text.replace('"command": ', f'"deep": {json.dumps(deep)}, "command": ', 1))
    source, out, repository = str(tmp_path / "s.jsonl"), tmp_path / "out", ["--repo", str(folder)]
    assert main(["import", source, "-o", str(out / "words"), *repository, "--archive"]) == 1
    assert main(["build", source, "-o", str(out), *repository, *model]) == 1
    assert main(["mine", source, "-o", str(out), *repository, *model, "--no-containers"]) == 1
    assert main(["screen", source, "-o", str(tmp_path / "screened.jsonl"), *model]) == 1
    told = capsys.readouterr()
    assert told.err.count("nested more than 200 deep") == 1 and told.out.count("nested more than 200 deep") == 3
    assert server.bodies == [] and not list(tmp_path.rglob("task.toml"))
    assert "0 chosen" in told.out and "1 not screened" in told.out


def secret_base(folder: Path, file: str, pushed: bool) -> str:
    """A code base that holds a token in a file; hands back what the file that the session changes holds."""
    line = f"TOKEN = 'ghp_{'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}'\n"
    held = f"{line}{BEFORE}"
    commit(folder, {**FILES, file: held}, at(-60), "Begin")
    git(folder, "remote", "add", "origin", "https://github.com/some/wordbox.git")
    if pushed:
        git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    return held if file == "wordbox.py" else BEFORE


@pytest.mark.parametrize("pushed", [True, False])
def test_the_base_is_proven_by_what_was_recorded_and_its_secrets_must_be_public(
    tmp_path: Path, pushed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "wordbox"
    held = secret_base(folder, "wordbox.py", pushed)
    planted(tmp_path / "s.jsonl", code=False)
    text = (tmp_path / "s.jsonl").read_text()
    (tmp_path / "s.jsonl").write_text(text.replace(json.dumps(BEFORE), json.dumps(held)))
    task = tmp_path / "out" / "words"
    command = ["import", str(tmp_path / "s.jsonl"), "-o", str(task), "--repo", str(folder)]
    code = main(command)
    told = capsys.readouterr()
    if pushed:
        assert code == 0 and "(time, proven)" in told.out
        subprocess.run(["git", "apply", str(task / "solution" / "turn-1.patch")], cwd=folder, check=True)
        return
    assert code == 1 and "The code base holds a secret in what turn 1 changes" in told.err
    assert not (tmp_path / "out").exists()
    assert main([*command, "--raw"]) == 0


@pytest.mark.parametrize("pushed", [True, False])
def test_a_code_base_that_a_task_carries_holds_no_secret_unless_it_is_public(
    tmp_path: Path, pushed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "wordbox", tmp_path / "out"
    secret_base(folder, "other.py", pushed)
    planted(tmp_path / "s.jsonl", code=False)
    source = [str(tmp_path / "s.jsonl"), "--repo", str(folder)]
    assert main(["import", *source, "-o", str(tmp_path / "fetched")]) == 0
    imported = main(["import", *source, "-o", str(out / "words"), "--archive"])
    built = main(["build", *source, "-o", str(out)])
    told = capsys.readouterr()
    assert [imported, built] == ([0, 0] if pushed else [1, 1])
    if not pushed:
        assert "The code base holds a secret in other.py (1 github-token)" in told.err
        assert "nothing built: The code base holds a secret in other.py" in told.out
        assert not out.exists()
        assert main(["import", *source, "-o", str(out / "words"), "--archive", "--raw"]) == 0


def test_a_list_of_candidates_holds_where_a_session_lies_and_no_word_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = planted(tmp_path / "s.jsonl")
    out = tmp_path / "out"
    assert main(["collect", str(tmp_path / "s.jsonl"), "-o", str(out / "candidates.jsonl"), "-j", "1"]) == 0
    said = tuple(value for value in values if value != HOME)
    assert leaks(tmp_path, said, capsys.readouterr().out) == []


def test_names_of_an_owner_and_of_the_task_stay_usable(tmp_path: Path, folder: Path) -> None:
    """The address that the image fetches stays, though its owner's name goes from all else."""
    planted(tmp_path / "s.jsonl", code=False)
    git(folder, "remote", "set-url", "origin", f"https://github.com/{HOME}/wordbox.git")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    task = tmp_path / "words"
    assert main(["import", str(tmp_path / "s.jsonl"), "-o", str(task), "--repo", str(folder)]) == 0
    assert f"https://github.com/{HOME}/wordbox" in (task / "environment" / "Dockerfile").read_text()
    assert f"/home/{HOME}" not in "".join(path.read_text() for path in task.rglob("*") if path.is_file())


def test_a_salt_lies_outside_and_is_this_machines_own(
    tmp_path: Path, no_shared_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(tmp_path / "s.jsonl")
    out = tmp_path / "words"
    assert main(["import", str(tmp_path / "s.jsonl"), "-o", str(out), "--salt", str(out / "salt")]) == 2
    assert "a salt beside the data" in capsys.readouterr().err and not out.exists()
    assert main(["import", str(tmp_path / "s.jsonl"), "-o", str(out), "--hide", "semicolons"]) == 0
    salt = no_shared_cache / "swe-together" / "salt"
    assert salt.stat().st_mode & 0o77 == 0
    assert "semicolons" not in (out / "simulator.md").read_text()
