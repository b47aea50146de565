"""Sessions below folders, on branches of checkpoints, and in checked-out trees of those."""

import json
import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import MisuseError, SessionFileError
from swe_together.pipeline.sessions import Place, Session, find_sessions, read_sessions
from tests.pipeline.sessions.claude_log import ClaudeLogWriter, small_session

BRANCH = "entire/checkpoints/v1"


def git(repository: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ("git", "-C", str(repository), *identity, *arguments), check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def checkpoint(
    tree: Path, id: str, log: ClaudeLogWriter, session: str, created: str, number: int = 0, **metadata: Any
) -> Path:
    """One checkpoint's folder, as it lies on the branch."""
    root = tree / id[:2] / id[2:]
    folder = root / str(number)
    folder.mkdir(parents=True, exist_ok=True)
    (root / "metadata.json").write_text(json.dumps({"checkpoint_id": id, "branch": "trunk"}))
    facts = {"checkpoint_id": id, "session_id": session, "created_at": created, "agent": "Claude Code", **metadata}
    (folder / "metadata.json").write_text(json.dumps(facts))
    log.write(folder / "full.jsonl")
    (folder / "prompt.txt").write_text("make tea")
    return folder


def two_checkpoints(tree: Path) -> None:
    """A session of two checkpoints, the log of the second being longer, and a session of one."""
    short, long = small_session(), small_session()
    del short.records[7:]
    share = {"agent_percentage": 90, "total_committed": 30}
    checkpoint(tree, "aa0000000001", short, "S-1", "2026-03-01T09:10:00Z", initial_attribution=share)
    share = {"agent_percentage": 0.4, "total_committed": 9000}
    checkpoint(tree, "bb0000000002", long, "S-1", "2026-03-01T09:20:00Z", initial_attribution=share)
    other = ClaudeLogWriter("0ther")
    other.user("make coffee")
    checkpoint(tree, "bb0000000002", other, "S-2", "2026-03-01T09:20:00Z", number=1)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "kettle"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.py").write_text("1\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "begin")
    git(folder, "commit", "-qm", "first\n\nEntire-Checkpoint: aa0000000001", "--allow-empty")
    git(folder, "commit", "-qm", "second\n\nEntire-Checkpoint: bb0000000002", "--allow-empty")
    git(folder, "commit", "-qm", "third\n\nEntire-Checkpoint: aa0000000001", "--allow-empty")
    git(folder, "commit", "-qm", "fourth\n\nEntire-Checkpoint: bb0000000002", "--allow-empty")
    git(folder, "checkout", "-q", "--orphan", BRANCH)
    git(folder, "rm", "-qrf", ".")
    two_checkpoints(folder)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "checkpoints")
    git(folder, "checkout", "-q", "main")
    return folder


def sessions(places: list[Place]) -> dict[str, Session]:
    return {session.origin.session_id: session for place in places for session in read_sessions(place)}


def test_files_below_a_folder(tmp_path: Path) -> None:
    for name in ("b/5e55.jsonl", "a/1.json", "node_modules/x.json", "b/notes.txt", "b/opencode.db"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    found = list(find_sessions([tmp_path]))
    assert [str(place.path.relative_to(tmp_path)) for place in found] == ["a/1.json", "b/5e55.jsonl", "b/opencode.db"]
    assert not any(place.given for place in found)
    [named] = find_sessions([tmp_path / "b" / "notes.txt"])
    assert named.given


def test_a_path_that_is_not_there_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match="nowhere: no such file or folder"):
        list(find_sessions([tmp_path / "nowhere"]))


def test_a_branch_of_checkpoints(repository: Path) -> None:
    places = list(find_sessions([repository]))
    found = sessions(places)
    assert found.keys() == {"S-1", "S-2"}
    session = found["S-1"]
    assert len(list(session.humans())) == 3  # of the longest log, once
    origin = session.origin
    assert (origin.format, origin.agent, origin.cwd) == ("entire", "Claude Code", "/home/ada/kettle")
    commits = git(repository, "log", "--reverse", "--format=%H", "main").split()
    assert origin.commits == tuple(commits[1:])
    assert origin.agent_share == pytest.approx(0.9)
    assert found["S-2"].origin.commits == (commits[2], commits[4])
    assert found["S-2"].origin.agent_share is None
    assert all(pickle.loads(pickle.dumps(place)) == place for place in places)


def test_a_bare_repository(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    assert sessions(list(find_sessions([tmp_path / "bare.git"]))).keys() == {"S-1", "S-2"}


def test_a_repository_that_lacks_its_large_files(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    bare = tmp_path / "bare.git"
    for pack in (bare / "objects" / "pack").glob("*.pack"):
        moved = tmp_path / pack.name
        pack.rename(moved)
        pack.with_suffix(".idx").unlink()
        with moved.open("rb") as file:
            subprocess.run(("git", "-C", str(bare), "unpack-objects", "-q"), stdin=file, check=True)
    longest = git(bare, "rev-parse", f"{BRANCH}:bb/0000000002/0/full.jsonl")
    (bare / "objects" / longest[:2] / longest[2:]).unlink()
    found = sessions(list(find_sessions([bare])))
    assert len(list(found["S-1"].humans())) == 1  # the shorter log of the first checkpoint
    assert len(found["S-1"].origin.commits) == 4
    shorter = git(bare, "rev-parse", f"{BRANCH}:aa/0000000001/0/full.jsonl")
    (bare / "objects" / shorter[:2] / shorter[2:]).unlink()
    lost, _ = find_sessions([bare])
    with pytest.raises(SessionFileError, match=r"0/full\.jsonl: the repository lacks this log"):
        list(read_sessions(lost))


def test_a_repository_without_checkpoints_is_a_folder(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    small_session().write(tmp_path / "logs" / "5e55.jsonl")
    [place] = find_sessions([tmp_path])
    assert place.path.name == "5e55.jsonl"


def test_a_checked_out_tree(tmp_path: Path) -> None:
    two_checkpoints(tmp_path)
    places = list(find_sessions([tmp_path]))
    assert len(places) == 2
    found = sessions(places)
    assert len(list(found["S-1"].humans())) == 3
    assert found["S-1"].origin.branch == "main"  # the log's own
    assert found["S-1"].origin.agent_share == pytest.approx(0.9)


def test_a_log_alone_with_its_metadata_beside_it(tmp_path: Path) -> None:
    two_checkpoints(tmp_path)
    [session] = read_sessions(tmp_path / "aa" / "0000000001" / "0" / "full.jsonl")
    assert (session.origin.format, session.origin.session_id) == ("entire", "S-1")


def test_a_log_in_pieces(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path, "aa0000000001", small_session(), "S-1", "2026-03-01T09:10:00Z")
    whole = (folder / "full.jsonl").read_bytes()
    (folder / "full.jsonl").write_bytes(whole[:700])
    (folder / "full.jsonl.001").write_bytes(whole[700:1500])
    (folder / "full.jsonl.002").write_bytes(whole[1500:])
    [place] = find_sessions([tmp_path])
    assert place.size == len(whole)
    assert len(list(sessions([place])["S-1"].humans())) == 3
    git(tmp_path, "init", "-q", "-b", BRANCH)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "x")
    [place] = find_sessions([tmp_path])
    assert len(place.blobs) == 3
    assert len(list(sessions([place])["S-1"].humans())) == 3


def test_metadata_that_are_no_json_do_not_lose_the_log(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path, "aa0000000001", small_session(), "S-1", "2026-03-01T09:10:00Z")
    (folder / "metadata.json").write_text("{")
    [place] = find_sessions([tmp_path])
    [session] = read_sessions(place)
    assert session.origin.session_id == "5e55"
