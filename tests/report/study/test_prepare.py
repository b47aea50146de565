"""Studies are blinded: what an annotator gets tells nothing of where a side comes from."""

import json
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.errors import MisuseError
from swe_together.report.study import OpenStudy, prepare, read_key, read_study
from swe_together.report.study._format import PairKey
from tests.report.study.sessions import DIGEST, MODEL, goals, sessions, trial


def pairs(folder: Path) -> dict[str, PairKey]:
    items = read_key(folder, read_study(folder)).items
    return {identity: secret for identity, secret in items.items() if isinstance(secret, PairKey)}


def test_nothing_that_is_served_gives_a_side_away(tmp_path: Path) -> None:
    real, simulated = sessions(tmp_path, 8)
    prepare(real, simulated, tmp_path / "study", seed=3, labels=["messages", "goals"], goals=goals(8))
    study = OpenStudy(tmp_path / "study")
    served = b"".join(study.item(identity) or b"" for identity in study.study.items)
    served += json.dumps(study.agenda("anna")).encode()
    for secret in ("real0", "simu0", "__", "people-job", "machine-job", DIGEST, MODEL, "llm", "human", "2026-01-02",
                   "secret thoughts", "anchor-", "codex", "swe-together"):  # fmt: skip
        assert secret.encode() not in served, secret
    assert b"[hidden]" in served, "names in the agent's own output are covered, not cut out unseen"


def test_sides_are_even_and_follow_from_the_seed(tmp_path: Path) -> None:
    real, simulated = sessions(tmp_path, 9)
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        prepare(real, simulated, tmp_path / name, seed=seed)
    one, again, other = (pairs(tmp_path / name) for name in ("one", "again", "other"))
    assert one == again
    assert {i: k.real for i, k in one.items()} != {i: k.real for i, k in other.items()}
    assert [key.real for key in one.values()].count("left") in (4, 5)
    for identity, key in one.items():
        item = json.loads(OpenStudy(tmp_path / "one").item(identity) or b"")
        assert [turn["message"] for turn in item[key.real]] == ["fix it", "and the tests?"]
        assert key.real_session.split("__real")[1] == key.simulated_session.split("__simu")[1], "one task, two users"


def test_every_annotator_has_an_order_of_their_own_and_keeps_it(tmp_path: Path) -> None:
    real, simulated = sessions(tmp_path, 12)
    prepare(real, simulated, tmp_path / "study", seed=1, labels=["messages"])
    study = OpenStudy(tmp_path / "study")
    anna, bo = ([item["id"] for item in study.agenda(name)] for name in ("anna", "bo"))
    assert anna != bo
    assert sorted(anna) == sorted(bo)
    assert [item["id"] for item in OpenStudy(tmp_path / "study").agenda("anna")] == anna
    assert [item["kind"] for item in study.agenda("anna")] == ["pair"] * 12 + ["messages"] * 12


def test_what_has_no_place_is_named(tmp_path: Path) -> None:
    real, simulated = tmp_path / "r", tmp_path / "s"
    trial(real, "a__000001", "t/a", "human")
    trial(real, "b__000001", "t/b", "human", ["only the first"])
    trial(real, "c__000001", "t/c", "human")
    trial(simulated, "a__000002", "t/a", "scripted", ["fix it"], agent="claude-code")
    trial(simulated, "b__000002", "t/b", "scripted")
    trial(simulated, "d__000002", "t/a", "scripted", end="simulator_error")
    (trial(simulated, "e__000002", "t/a", "scripted") / "agent/trajectory.json").write_text('{"half')
    done = prepare([str(real)], [str(simulated)], tmp_path / "study", seed=0)
    assert done.counts["pair"] == 1, "a simulated user who says nothing is judged like any other"
    assert len(done.left_out) == 5
    told = "\n".join(done.left_out)
    for words in ("b__000001: the real user says nothing", "no real session of t/b", "t/c: a real session",
                  "ended as simulator_error", "trajectory.json is no JSON"):  # fmt: skip
        assert words in told
    assert any("agents differ" in warning for warning in done.warnings)


def test_trajectories_alone_take_part(tmp_path: Path) -> None:
    machine = trial(tmp_path / "s", "a__000002", "t/a", "llm")
    steps = [
        {"source": "user", "message": " hi "},
        {"source": "agent", "message": "yes"},
        {"source": "user", "message": "x"},
    ]
    (tmp_path / "recorded.json").write_text(json.dumps({"steps": steps}))
    done = prepare([f"t/a={tmp_path / 'recorded.json'}"], [str(machine)], tmp_path / "study", seed=0)
    [(identity, key)] = pairs(tmp_path / "study").items()
    item = json.loads(OpenStudy(tmp_path / "study").item(identity) or b"")
    assert [turn["message"] for turn in item[key.real]] == ["hi", "x"]
    assert key.same_agent is None
    assert any("isn't recorded" in warning for warning in done.warnings)


def test_misuse_names_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real, simulated = sessions(tmp_path, 1)
    with pytest.raises(MisuseError, match="its user was simulated"):
        prepare(simulated, simulated, tmp_path / "x", seed=0)
    with pytest.raises(MisuseError, match="a person played this user"):
        prepare(real, real, tmp_path / "x", seed=0)
    with pytest.raises(MisuseError, match="nothing to ask"):
        prepare([], simulated, tmp_path / "x", seed=0)
    with pytest.raises(MisuseError, match="no margin"):
        prepare(real, simulated, tmp_path / "x", seed=0, margin=0.5)
    prepare(real, simulated, tmp_path / "x", seed=0)
    command = ["study", "prepare", "--real", *real, "--simulated", *simulated, "-o", str(tmp_path / "x")]
    assert main(command) == 2
    assert "not empty" in capsys.readouterr().err
    assert main(["study", "serve", str(tmp_path)]) == 2
    assert main(["study", "report", str(tmp_path)]) == 2
    assert (
        main(["study", "prepare", "--real", "/nonexistent", "--simulated", *simulated, "-o", str(tmp_path / "y")]) == 2
    )


def test_a_link_out_of_the_trial_is_not_followed(tmp_path: Path) -> None:
    real, simulated = sessions(tmp_path, 2)
    (tmp_path / "secret.json").write_text(json.dumps({"steps": [{"source": "user", "message": "hidden words"}] * 2}))
    path = tmp_path / "machine-job/task0__simu0000/agent/trajectory.json"
    path.unlink()
    path.symlink_to(tmp_path / "secret.json")
    done = prepare(real, simulated, tmp_path / "study", seed=0)
    assert done.counts["pair"] == 1
    assert any("link" in line for line in done.left_out)
