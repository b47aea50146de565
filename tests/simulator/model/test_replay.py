"""``replay`` reproduces recorded dialogues exactly; ``simulate`` takes one decision again, alone."""

import json
from pathlib import Path

import pytest

from swe_together.adapter.recorder import SessionRecorder
from swe_together.adapter.session import Outcome
from swe_together.adapter.settings import Settings
from swe_together.cli import main
from swe_together.defaults import MAX_ANSWERS
from swe_together.errors import MisuseError, SimulatorError
from swe_together.schema import DecisionRecord, EndReason
from swe_together.simulator import ProbeOutcome, ReplayUser, UserSetup, create_user, find_recording, read_decisions
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.model import AnchoredUser, Background, FreeUser
from swe_together.simulator.model.fake import ListedModel, RandomChooser, chosen
from swe_together.tasks import load_task
from tests.simulator.cases import script, seen
from tests.simulator.model.loop import Session, play_session
from tests.simulator.model.users import BACKGROUND, INSTRUCTION, SILENCE, say
from tests.support.fault_server import Fault, FaultServer

TINY = Path(__file__).parents[3] / "tests" / "fixtures" / "tiny-task"
SCRIPT = script(
    {"id": "a", "message": "why do we need a cache here"},
    {"id": "b", "message": "split at semicolons too", "after": ["a"]},
    {"id": "c", "condition": {"turn": {"min": 9}}},
)


def record(folder: Path, session: Session, task: str = "swe-together/made-up", policy: str = "anchored") -> Path:
    """Leave a session as a trial does."""
    facts = {
        "task": task, "task_digest": "0" * 64, "agent": "echo", "policy": policy, "arm": "interactive",
        "continuation": "native",
    }  # fmt: skip
    recorder = SessionRecorder(folder / "user-agent", facts, Settings())
    for decision in session.decisions:
        recorder.decision(decision)
    recorder.finish(Outcome(session.outcome.end, session.outcome.error, 1.0, 1.0))
    return folder


@pytest.mark.parametrize("seed", range(5))
async def test_a_recorded_dialogue_is_reproduced_exactly(tmp_path: Path, seed: int) -> None:
    recorded = await play_session(INSTRUCTION, AnchoredUser(SCRIPT, BACKGROUND, RandomChooser(seed, wild=0.5)))
    trial = record(tmp_path / "trial", recorded)
    user = create_user("replay", SCRIPT, UserSetup(replay_from=trial))
    again = await play_session(INSTRUCTION, user)
    assert user.name == "replay"
    assert again.heard == recorded.heard
    assert [one.decision for one in again.decisions] == [one.decision for one in recorded.decisions]
    assert again.outcome.end is recorded.outcome.end


async def test_free_messages_and_questions_are_replayed_too(tmp_path: Path) -> None:
    answers = [say("why a cache at all?", "a"), say("split at ; too", "b"), SILENCE]
    recorded = await play_session(INSTRUCTION, FreeUser(SCRIPT, BACKGROUND, ListedModel(answers)))
    user = create_user("replay", SCRIPT, UserSetup(replay_from=record(tmp_path, recorded, policy="llm")))
    assert (await play_session(INSTRUCTION, user)).heard == recorded.heard == [
        INSTRUCTION, "why a cache at all?", "split at ; too",
    ]  # fmt: skip


async def records() -> list[DecisionRecord]:
    return (await play_session(INSTRUCTION, AnchoredUser(SCRIPT, BACKGROUND, RandomChooser(3, silence=0)))).decisions


async def test_after_a_recording_that_was_cut_off_the_user_leaves() -> None:
    user = ReplayUser(SCRIPT, (await records())[:1])
    again = await play_session(INSTRUCTION, user)
    assert again.heard == [INSTRUCTION, "why do we need a cache here"]
    assert again.outcome.end is EndReason.USER_LEFT
    last = again.decisions[-1].decision
    assert last.reason == "the recording ends after turn 1"
    assert [(one.anchor, one.how) for one in last.settled] == [("b", "dismissed"), ("c", "dismissed")]


async def test_a_hole_in_a_recording_is_an_error() -> None:
    whole = await records()
    with pytest.raises(SimulatorError, match="no decision for turn 1, but one for turn 3"):
        await ReplayUser(SCRIPT, whole[2:]).decide(seen(1), FakeWorld())


async def test_a_recorded_decision_that_failed_fails_again() -> None:
    model = ListedModel([chosen("a"), *[{"choice": 7}] * MAX_ANSWERS])
    recorded = await play_session(INSTRUCTION, AnchoredUser(SCRIPT, BACKGROUND, model))
    assert recorded.outcome.end is EndReason.SIMULATOR_ERROR
    again = await play_session(INSTRUCTION, ReplayUser(SCRIPT, recorded.decisions))
    assert again.heard == recorded.heard
    assert again.outcome.end is EndReason.SIMULATOR_ERROR
    assert "gave no usable answer" in str(again.outcome.error)


async def test_recordings_of_other_tasks_are_refused() -> None:
    whole = await records()
    with pytest.raises(MisuseError, match="names the anchor 'a', which this task doesn't have"):
        ReplayUser(script({"id": "other"}), whole)
    with pytest.raises(MisuseError, match="holds no decision"):
        ReplayUser(SCRIPT, [])


async def test_recordings_are_found_by_trial_or_by_task_in_a_job(tmp_path: Path) -> None:
    session = await play_session(INSTRUCTION, AnchoredUser(SCRIPT, BACKGROUND, RandomChooser(1)))
    one = record(tmp_path / "job" / "one__x", session, task="swe-together/one")
    record(tmp_path / "job" / "two__x", session, task="swe-together/two")
    file = one / "user-agent" / "decisions.jsonl"
    assert find_recording(file, None) == file
    assert find_recording(one, "whatever") == file
    assert find_recording(one / "user-agent", None) == file
    assert find_recording(tmp_path / "job", "swe-together/one") == file
    with pytest.raises(MisuseError, match="holds no recorded session of swe-together/three"):
        find_recording(tmp_path / "job", "swe-together/three")
    record(tmp_path / "job" / "one__y", session, task="swe-together/one")
    with pytest.raises(MisuseError, match=r"holds 2 recorded sessions of swe-together/one: one__x, one__y"):
        find_recording(tmp_path / "job", "swe-together/one")


def test_a_broken_recording_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    file.write_text('{"format": 1}\n')
    with pytest.raises(MisuseError, match="line 1 is not a decision"):
        read_decisions(file)
    with pytest.raises(MisuseError, match="no such file"):
        read_decisions(tmp_path / "x.jsonl")


def tiny_world() -> FakeWorld:
    return FakeWorld(probes=lambda command: ProbeOutcome(1, "AssertionError"), files={"wordbox.py": "def split(): ..."})


TINY_ANSWERS = [
    say("split at ; too, some files have them", "semicolons"),
    say("a;b comes out as one word here", "semicolons", action="redirect"),
    say("and longest(words) please", "longest"),
    SILENCE,
]


@pytest.fixture
async def tiny_trial(tmp_path: Path) -> Path:
    """A trial of the tiny task whose user was the policy llm."""
    task = load_task(TINY)
    user = FreeUser(task.script, Background.of(task), ListedModel(TINY_ANSWERS, "openai/listed"), session_sec=2_000)
    session = await play_session(task.instruction, user, world=tiny_world)
    assert [one.decision and one.decision.kind for one in session.decisions][:3] == ["anchor", "insist", "anchor"]
    return record(tmp_path, session, task=task.name, policy="llm")


def simulate(trial: Path, turn: int, *arguments: str) -> int:
    return main(["simulate", str(TINY), "--from", str(trial), "--turn", str(turn), *arguments])


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_one_decision_again(tiny_trial: Path, turn: int, capsys: pytest.CaptureFixture[str]) -> None:
    answer = TINY_ANSWERS[turn - 1]
    with FaultServer({1: Fault.SERVER_ERROR} if turn == 1 else {}, answer=lambda body: answer) as server:
        code = simulate(tiny_trial, turn, "--user-base-url", server.base_url, "--json")
    again = json.loads(capsys.readouterr().out)
    assert code == 0
    assert again["same_prompt"] is True, "the prompt is made anew from the records, and is the recorded one"
    assert again["again"]["message"] == answer["message"]
    assert again["again"]["kind"] == again["recorded"]["kind"]
    assert again["again"]["settled"] == again["recorded"]["settled"]
    assert again["same_decision"] is True
    assert again["call"]["model"] == "openai/listed"
    assert server.bodies[-1]["model"] == "listed"


def test_another_model_and_policy(tiny_trial: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FaultServer() as server:
        options = ("--user-model", "openai/other", "--policy", "anchored", "--user-base-url", server.base_url)
        options += ("--user-structure", "schema", "--user-max-tokens", "300")
        assert simulate(tiny_trial, 1, *options) == 0
    assert server.bodies[0]["model"] == "other"
    assert (server.bodies[0]["max_tokens"], "tools" in server.bodies[0]) == (300, False)
    out = capsys.readouterr().out
    assert "again: new_requirement semicolons\n  some of my files use semicolons, split there too" in out
    assert "prompt: another" in out


def test_the_prompt_alone_needs_no_key(
    tiny_trial: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SWE_TOGETHER_USER_API_KEY")
    assert simulate(tiny_trial, 2, "--prompt") == 0
    out = capsys.readouterr().out
    assert 'after turn 1 (semicolons): "split at ; too, some files have them"' in out
    assert '- again on semicolons: "a;b is still one word"' in out


def test_turns_without_a_model_are_misuse(tiny_trial: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(tiny_trial, 9) == 2
    assert "no decision for turn 9. Turns it has: 1, 2, 3" in capsys.readouterr().err
    lines = (tiny_trial / "user-agent" / "decisions.jsonl").read_text().splitlines()
    bare = json.loads(lines[0]) | {"call": None}
    (tiny_trial / "user-agent" / "decisions.jsonl").write_text(json.dumps(bare) + "\n")
    assert simulate(tiny_trial, 1) == 2
    assert "No model took part in the decision after turn 1" in capsys.readouterr().err


@pytest.fixture(params=[1, 3])
async def failed_trial(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A trial of the tiny task whose model answered nothing usable after this turn."""
    task = load_task(TINY)
    answers = [*TINY_ANSWERS[: request.param - 1], *[{"answer": 42}] * MAX_ANSWERS]
    user = FreeUser(task.script, Background.of(task), ListedModel(answers, "openai/listed"), session_sec=2_000)
    session = await play_session(task.instruction, user, world=tiny_world)
    assert (session.outcome.end, len(session.decisions)) == (EndReason.SIMULATOR_ERROR, request.param)
    return record(tmp_path, session, task=task.name, policy="llm")


def test_a_failed_decision_is_taken_again_alone(failed_trial: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failed = read_decisions(failed_trial / "user-agent" / "decisions.jsonl")[-1]
    assert failed.decision is None
    assert failed.call is not None
    assert [one.problem for one in failed.call.refused] == [failed.call.refused[0].problem] * MAX_ANSWERS
    assert failed.facts, "what was tried after this turn"
    answer = TINY_ANSWERS[failed.turn - 1]
    with FaultServer(answer=lambda body: answer) as server:
        assert simulate(failed_trial, failed.turn, "--user-base-url", server.base_url, "--json") == 0
        assert simulate(failed_trial, failed.turn, "--user-base-url", server.base_url) == 0
    printed, _, shown = capsys.readouterr().out.partition("\n}\n")
    again = json.loads(f"{printed}\n}}")
    assert again["same_prompt"] is True
    assert (again["recorded"], again["same_decision"]) == (None, False)
    assert again["recorded_error"] == failed.error
    assert again["again"]["message"] == answer["message"]
    assert "recorded: failed\n  The user's model 'openai/listed' gave no usable answer" in shown


def test_a_model_that_answers_nothing_usable_is_found_wrong(
    tiny_trial: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultServer(dict.fromkeys(range(1, 9), Fault.NOISE)) as server:
        assert simulate(tiny_trial, 1, "--user-base-url", server.base_url) == 1
    assert "gave no usable answer in 3 tries" in capsys.readouterr().err


async def test_what_was_said_along_with_an_insist_was_said_for_the_first_time() -> None:
    undone = {"satisfied": {"path_exists": "never/there"}}
    both = script(
        {"id": "a", "message": "split at semicolons too", **undone, "insist": {"message": "it still keeps semicolons"}},
        {"id": "b", "message": "and trim the words", **undone, "insist": {"message": "words still come with blanks"}},
    )
    answers = [say("split at semicolons too", "a"), say("it still keeps semicolons, and trim the words", "a", "b"),
               say("words still come with blanks", "b"), SILENCE]  # fmt: skip
    recorded = await play_session(INSTRUCTION, FreeUser(both, BACKGROUND, ListedModel(answers)))
    assert [one.decision.anchors for one in recorded.decisions if one.decision] == [["a"], ["a", "b"], ["b"], []]
    user = FreeUser(both, BACKGROUND, ListedModel([]))
    options = user.resume(recorded.decisions[:2], recorded.decisions[2])
    assert [option.anchor.id for option in options] == ["b"]
    assert [user.machine._state(name).insists for name in ("a", "b")] == [1, 0]
