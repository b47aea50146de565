"""Whole judgements over real HTTP: a scripted investigation, every fault at random calls, every form of tools."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import JudgeError, MisuseError, TaggerError
from swe_together.judge import (
    TAGGER,
    Judge,
    JudgementStore,
    JudgeModel,
    JudgeSettings,
    ProviderChat,
    Ran,
    TaggerModel,
    judge_model,
    tag_messages,
)
from swe_together.judge._settings import JUDGE
from swe_together.judge.fake import FakeWorkspace
from swe_together.schema import Judgement, Tag
from tests.judge.cases import SPLIT, dialogue, dossier
from tests.support.fault_server import Fault, FaultServer, Investigator
from tests.support.fault_server.judging import called

FILES = {"/workspace/wordbox.py": "def split(text):\n    return text.split(',')\n"}
COMMANDS = {SPLIT: Ran(0, ""), "ls": Ran(0, "wordbox.py\n")}
PLAYED = Investigator({"clean-words": True, "answers": True}, path="wordbox.py")
VERDICTS = [("clean-words", True), ("semicolons", False), ("answers", True), ("join-unchanged", True)]
PASSING = [fault for fault in Fault if fault.of_provider and fault not in (Fault.UNAUTHORIZED, Fault.NO_CHOICES)]
WRONG = [fault for fault in Fault if not fault.of_provider and fault is not Fault.TWO_CALLS] + [Fault.NO_CHOICES]
"""Two calls of run or read are no fault: both are carried out. Of submit they are, see below."""
ANY = [fault for fault in Fault if fault is not Fault.SLOW]

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with FaultServer(answer=PLAYED) as running:
        yield running


class Clock:
    """A sleep that only moves a clock."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def settings(server: FaultServer, **values: Any) -> JudgeSettings:
    model = {name: values.pop(name) for name in ("structure", "temperature") if name in values}
    chosen = JudgeModel(model="openai/judge", base_url=server.base_url, **model)
    return JudgeSettings(model=chosen, **({"checks": "ignore", "seconds": 3_000} | values))


async def judged(
    server: FaultServer,
    plan: dict[int, Fault] | None = None,
    *,
    seed: int = 0,
    store: JudgementStore | None = None,
    **values: Any,
) -> Judgement:
    server.restart(plan or {}, seed=seed)
    told, clock = settings(server, **values), Clock()
    assert told.model is not None
    # Only a slow answer is to run out of time, not a busy machine.
    call_sec = 1.0 if Fault.SLOW in (plan or {}).values() else 60.0
    model = ProviderChat(
        told.model.provider, JUDGE, clock=clock, sleep=clock.sleep, rng=random.Random(seed), call_sec=call_sec
    )
    judge = Judge(told, model, store, clock)
    return await judge.judge(dossier(), root=FakeWorkspace({}, COMMANDS), hands=FakeWorkspace(FILES, COMMANDS))


def verdicts(judgement: Judgement) -> list[tuple[str, bool | None]]:
    return [(goal.goal, goal.met) for goal in judgement.goals]


@pytest.mark.parametrize("structure", ["tool", "schema", "text"])
async def test_an_investigation(server: FaultServer, structure: str) -> None:
    judgement = await judged(server, structure=structure)
    assert verdicts(judgement) == VERDICTS
    assert judgement.score == pytest.approx(0.7)
    assert [called(body) for body in server.bodies] == [[], ["run"], ["run", "read"]]
    (vote,) = judgement.votes
    assert (vote.structure, vote.refused, vote.faults, vote.dropped) == (structure, [], [], [])
    usage = judgement.ledger.usage
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens, usage.cost_usd) == (360, 300, 90, None)
    assert judgement.ledger.requests == 3
    last = server.bodies[-1]
    told = json.dumps(last["messages"], ensure_ascii=False)
    assert "call 1: exit 0\\n⟦output⟧\\nwordbox.py" in told or "call 1: exit 0\\\\n⟦output⟧" in told
    assert "1: def split(text):" in told
    roles = [message["role"] for message in last["messages"]]
    answered = ["assistant", "tool"] if structure == "tool" else ["assistant", "user"]
    assert roles == ["system", "user", *answered, *answered]
    sent = {"tool": {"tools", "tool_choice"}, "schema": {"response_format"}, "text": set()}[structure]
    assert set(last) == {"model", "messages", "temperature", "max_tokens", *sent}
    assert ("Answer with one JSON object" in last["messages"][0]["content"]) is (structure == "text")


async def test_calls_and_their_results_belong_together(server: FaultServer) -> None:
    await judged(server)
    for body in server.bodies:
        calls = [call["id"] for message in body["messages"] for call in message.get("tool_calls") or []]
        results = [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"]
        assert calls == results


async def test_the_stable_part_is_the_same_in_every_request(server: FaultServer) -> None:
    await judged(server, votes=3)
    assert len({body["messages"][0]["content"] for body in server.bodies}) == 1
    openings = [body["messages"][1]["content"] for body in server.bodies]
    assert [len(set(openings[at : at + 3])) for at in (0, 3, 6)] == [1, 1, 1]


async def test_without_tools_one_json_object_an_answer(server: FaultServer) -> None:
    judgement = await judged(server, {2: Fault.NO_TOOLS})
    assert verdicts(judgement) == VERDICTS
    assert (judgement.votes[0].structure, judgement.votes[0].dropped) == ("schema", ["tools"])
    assert called(server.bodies[-1]) == ["run", "read"], "what was called as a tool is told in the new form"


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault is not Fault.UNAUTHORIZED])
async def test_a_fault_now_and_then_never_changes_the_verdicts(server: FaultServer, fault: Fault) -> None:
    judgement = await judged(server, {1: fault} if fault is Fault.SLOW else {1: fault, 3: fault, 5: fault})
    assert verdicts(judgement) == VERDICTS
    assert fault in server.used


@pytest.mark.parametrize("density", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("seed", range(6))
async def test_random_faults_at_random_calls(server: FaultServer, density: float, seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"{density} {seed}")
    plan = {call: rng.choice(ANY) for call in range(1, 200) if rng.random() < density}
    store = JudgementStore(tmp_path)
    try:
        judgement = await judged(server, plan, seed=seed, store=store, votes=3)
    except JudgeError as error:
        used = server.used
        if "answers in a row were refused" in str(error):
            assert all(fault in WRONG for fault in [f for f in used if f not in PASSING][-3:])
        elif "submissions were refused" in str(error):
            raise AssertionError("no fault turns evidence into what wasn't seen") from error
        elif "failed 6 times" in str(error):
            assert all(fault in PASSING for fault in used[-6:])
        else:
            assert "refused the request" in str(error)
            assert used[-1] is Fault.UNAUTHORIZED
        (failed,) = (tmp_path / "failed").iterdir()
        assert json.loads(failed.read_text())["ledger"]["requests"] <= len(used)
        return
    assert verdicts(judgement) == VERDICTS
    assert [goal.votes for goal in judgement.goals] == [[met] * 3 for _, met in VERDICTS]


@pytest.mark.parametrize("faults", [WRONG, PASSING[:5], [Fault.NOISE], [Fault.UNAUTHORIZED], [Fault.CONTENT_FILTER]])
async def test_nothing_but_faults_is_always_the_typed_error(
    server: FaultServer, faults: list[Fault], tmp_path: Path
) -> None:
    rng = random.Random(1)
    store = JudgementStore(tmp_path)
    with pytest.raises(JudgeError, match=r"judge's model 'openai/judge'"):
        await judged(server, {call: rng.choice(faults) for call in range(1, 200)}, store=store)
    assert not (tmp_path / "votes").exists()
    (failed,) = (tmp_path / "failed").iterdir()
    record = json.loads(failed.read_text())
    assert record["error"]
    assert len(record["faults"]) == sum(fault in (*PASSING, Fault.UNAUTHORIZED) for fault in server.used)


async def test_time_spent_waiting_is_the_judgements(server: FaultServer) -> None:
    with pytest.raises(JudgeError, match="in the time that the judgement has left"):
        await judged(server, dict.fromkeys(range(1, 50), Fault.OVERLOADED), seconds=4)


async def test_the_key_is_nowhere_but_in_the_request(server: FaultServer, key: str, tmp_path: Path) -> None:
    store = JudgementStore(tmp_path)
    judgement = await judged(server, store=store)
    with pytest.raises(JudgeError) as caught:
        await judged(server, {1: Fault.UNAUTHORIZED}, store=store, votes=3)
    told = str(caught.value) + judgement.model_dump_json()
    told += "".join(path.read_text() for path in tmp_path.rglob("*.json")) + json.dumps(server.bodies)
    assert key not in told
    assert server.keys == [f"Bearer {key}"]


async def test_the_judge_has_a_key_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SWE_TOGETHER_JUDGE_API_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-agent")
    with pytest.raises(MisuseError, match=r"SWE_TOGETHER_JUDGE_API_KEY .* is not set\. .*judge_api_key_env=NAME"):
        judge_model(JudgeSettings(model=JudgeModel(model="openai/gpt-5")))
    assert judge_model(JudgeSettings()) is None


TAGS = {"tool": "tag", "arguments": {"messages": [{"message": 2, "reason": "so", "tags": ["correction"]}]}}


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault not in (Fault.UNAUTHORIZED, Fault.SLOW)])
async def test_a_fault_never_changes_the_tags(fault: Fault) -> None:
    words = dialogue(
        {"message": "clean please", "reply": "Done."}, {"message": "it crashes", "kind": "free", "tags": ["question"]}
    )
    clock = Clock()
    with FaultServer({1: fault, 2: fault}, answer=lambda body: TAGS) as server:
        choice = TaggerModel(model="openai/tagger", base_url=server.base_url)
        tagger = ProviderChat(choice.provider, TAGGER, clock=clock, sleep=clock.sleep, call_sec=1.0)
        found = await tag_messages(words, tagger)
        assert (found.messages[0].tags, found.user_correction) == ([Tag.CORRECTION], 1.0)
        assert server.keys[0] == "Bearer sk-tagger-88"
    with (
        FaultServer(dict.fromkeys(range(1, 9), fault), answer=lambda body: {**TAGS, "arguments": {}}) as server,
        pytest.raises(TaggerError),
    ):
        choice = TaggerModel(model="openai/tagger", base_url=server.base_url)
        tagger = ProviderChat(choice.provider, TAGGER, clock=clock, sleep=clock.sleep, call_sec=1.0)
        await tag_messages(words, tagger)
