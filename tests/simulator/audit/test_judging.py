"""A model that judges, over real HTTP: its tags, and every way in which it gives none."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from swe_together import defaults
from swe_together.schema import DecisionRecord, TrialAudit
from swe_together.simulator.audit import AUDITOR, AuditedTrial, audit_trial, judge_messages
from swe_together.simulator.audit._tagging import SCHEMA
from swe_together.simulator.model import LiteLLMModel, ModelSettings
from tests.simulator.audit.sessions import changed, scripted, session_of, task_of, trial_of
from tests.simulator.cases import script, seen
from tests.simulator.model.loop import Clock
from tests.support.fault_server import Fault, FaultServer

SCRIPT = script(
    {"id": "cache", "message": "why do we need a cache here", "required": True},
    {"id": "semicolons", "message": "some of my files use semicolons, split there too"},
)
TASK = task_of(SCRIPT)
TRUE = scripted(SCRIPT)
REPLIED = scripted(SCRIPT, reply="I added a cache to split().")
FINE: dict[str, Any] = {"reason": "as authored", "faults": []}
WRONG = [fault for fault in Fault if not fault.of_provider and fault is not Fault.REASONING_LEAK] + [Fault.NO_CHOICES]
PASSING = [Fault.RATE_LIMIT, Fault.SERVER_ERROR, Fault.CUT, Fault.CLOSED, Fault.NOT_JSON]
PASSING += [Fault.NO_TEMPERATURE, Fault.NO_TOOLS]

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with pytest.MonkeyPatch.context() as patch, FaultServer(answer=lambda body: FINE) as running:
        patch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        yield running


async def judge(
    server: FaultServer, trial: AuditedTrial, answer: Any = FINE, plan: Mapping[int, Fault] | None = None
) -> TrialAudit:
    """The audit of a trial by the server's model, with a clock of its own."""
    server.restart(dict(plan or {}))
    server.answer = answer if callable(answer) else lambda body: answer
    clock = Clock()
    settings = ModelSettings("openai/auditor", api_key_env="SWE_TOGETHER_AUDIT_API_KEY", base_url=server.base_url)
    model = LiteLLMModel(settings, clock=clock, sleep=clock.sleep, rng=random.Random(0), call_sec=2.0, role=AUDITOR)
    return await judge_messages(trial, await audit_trial(trial), model, clock=clock)


def fault(quote: str, tag: str = "unhelpful", severity: str = "hindered") -> dict[str, Any]:
    return {"tag": tag, "severity": severity, "quote": quote}


def found(*faults: dict[str, Any]) -> dict[str, Any]:
    return {"reason": "because", "faults": list(faults)}


async def test_every_message_and_the_leaving_are_judged_once(server: FaultServer) -> None:
    audit = await judge(server, trial_of(TRUE, TASK))
    assert [(one.turn, one.judged, one.tags, one.error) for one in audit.messages] == [
        (turn, "audited", [], None) for turn in (1, 2, 3)
    ]
    assert len(server.bodies) == 3
    call = audit.messages[0].call
    assert call is not None
    assert (call.model, call.input_tokens, call.cost_usd) == ("openai/auditor", 120, None)
    function = server.bodies[0]["tools"][0]["function"]
    assert function["parameters"] == SCHEMA
    assert "judge" in function["description"]


async def test_the_question_holds_the_moment_and_what_was_done(server: FaultServer) -> None:
    await judge(server, trial_of(REPLIED, TASK))
    first, second, last = ([part["content"] for part in body["messages"]] for body in server.bodies)
    assert first[0] == second[0] == last[0], "the stable part is the same for the whole session"
    assert "# Tags\n- hallucination:" in first[0]
    assert '1. cache (question, required)\n   "why do we need a cache here"' in first[0]
    assert "I added a cache to split()." in first[1]
    assert "# What the person then did\n⟦message⟧\nwhy do we need a cache here\n⟦/message⟧" in first[1]
    assert 'after turn 1 (cache): "why do we need a cache here"' in second[1]
    assert "semicolons" in second[1].partition("# What the person then did")[2]
    assert "They left (anchors_exhausted)." in last[1]


async def test_tags_with_their_severity(server: FaultServer) -> None:
    def answer(body: Mapping[str, Any]) -> dict[str, Any]:
        did = body["messages"][1]["content"].partition("# What the person then did")[2]
        if "semicolons" in did:
            return found(fault("use semicolons", "revealed_info_early", "helped"))
        return found(fault("Done.", "premature_termination")) if "They left" in did else FINE

    audit = await judge(server, trial_of(TRUE, TASK), answer)
    tags = [[(one.tag, one.severity, one.quote) for one in message.tags] for message in audit.messages]
    assert tags == [
        [],
        [("revealed_info_early", "helped", "use semicolons")],
        [("premature_termination", "hindered", "Done.")],
    ]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (found(fault("words that nobody said")), "doesn't stand in the message"),
        (found(fault("a cache", "premature_termination")), "premature_termination is for leaving"),
        (found(fault("a cache"), fault("need")), "a tag is given twice"),
        (found(fault("a cache", severity="severe")), "faults.0.severity"),
        (found(fault("a cache", "rude")), "faults.0.tag"),
        (found(fault(" ")), "quote the words"),
        (found(fault("a cache") | {"confidence": 1}), "Extra inputs"),
        ({"faults": []}, "reason: Field required"),
        ({"reason": "x", "faults": None}, "faults"),
        ({"reason": 5, "faults": []}, "reason"),
    ],
)
async def test_a_wrong_judgement_is_asked_again_with_the_reason_then_not_audited(
    server: FaultServer, answer: dict[str, Any], told: str
) -> None:
    audit = await judge(server, trial_of(changed(TRUE[:1], 1), TASK), answer)
    (message,) = audit.messages
    assert (message.judged, message.tags) == ("not_audited", [])
    assert message.error is not None
    assert message.error.startswith("AuditError: 'openai/auditor' gave no usable judgement in 3 tries")
    assert len(server.bodies) == defaults.MAX_ANSWERS
    assert told in server.bodies[1]["messages"][1]["content"].partition("could not be used")[2]
    assert message.call is not None
    assert len(message.call.refused) == defaults.MAX_ANSWERS


async def test_a_second_answer_counts(server: FaultServer) -> None:
    answers = iter([found(fault("nobody said this")), found(fault("a  cache"))])
    audit = await judge(server, trial_of(TRUE[:1], TASK), lambda body: next(answers))
    (message,) = audit.messages
    assert (message.judged, [one.tag for one in message.tags]) == ("audited", ["unhelpful"])


@pytest.mark.parametrize("wrong", WRONG)
async def test_answers_that_are_none(server: FaultServer, wrong: Fault) -> None:
    audit = await judge(server, trial_of(TRUE[:1], TASK), plan=dict.fromkeys(range(1, 9), wrong))
    (message,) = audit.messages
    assert (message.judged, message.tags) == ("not_audited", [])
    assert str(message.error).startswith("AuditError: ")
    audit = await judge(server, trial_of(TRUE[:1], TASK), plan={1: wrong})
    assert audit.messages[0].judged == "audited", "asked again, it answers"


@pytest.mark.parametrize("passing", PASSING)
async def test_faults_of_the_provider_are_waited_out(server: FaultServer, passing: Fault) -> None:
    audit = await judge(server, trial_of(TRUE[:1], TASK), plan={1: passing})
    assert [message.judged for message in audit.messages] == ["audited"]


async def test_a_provider_that_is_gone_leaves_each_message_not_audited(server: FaultServer) -> None:
    audit = await judge(server, trial_of(TRUE, TASK), plan=dict.fromkeys(range(1, 99), Fault.UNAUTHORIZED))
    assert {message.judged for message in audit.messages} == {"not_audited"}
    assert all(
        "The audit's model 'openai/auditor' refused the request" in str(message.error) for message in audit.messages
    )


async def test_a_fault_in_the_middle_costs_one_message(server: FaultServer) -> None:
    plan = dict.fromkeys((2, 3, 4), Fault.NOISE)
    audit = await judge(server, trial_of(TRUE, TASK), plan=plan)
    assert [message.judged for message in audit.messages] == ["audited", "not_audited", "audited"]


async def test_without_the_task_nothing_is_judged_and_nobody_is_asked(server: FaultServer) -> None:
    audit = await judge(server, trial_of(TRUE, None))
    assert [(one.judged, one.error) for one in audit.messages] == [
        ("not_audited", "AuditError: The task isn't at hand.")
    ] * 3
    odd = changed(TRUE, 2, anchors=["nobody"])
    audit = await judge(server, trial_of(odd, TASK))
    assert [one.judged for one in audit.messages] == ["audited", "not_audited", "not_audited"]
    assert "records don't fit" in str(audit.messages[1].error)


async def test_ends_by_budget_and_failed_decisions_are_not_asked_about(server: FaultServer) -> None:
    made = changed(TRUE, 1, message=None, kind=None, anchors=[], settled=[], end="time_budget")[:1]
    failed = DecisionRecord(turn=2, policy="scripted", observation=seen(2), error="gone", seconds=1)
    audit = await judge(server, trial_of([*made, failed], TASK, session=session_of(made)))
    assert [one.judged for one in audit.messages] == ["not_asked"]
    assert server.bodies == []
