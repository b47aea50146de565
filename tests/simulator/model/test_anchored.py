"""The policy ``anchored``: what the model may choose, what becomes of its words, what is recorded."""

import pytest

from swe_together.errors import EnvironmentFault, SimulatorError
from swe_together.schema import EndReason, MessageKind
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.model import Completion
from swe_together.simulator.model._answers import chosen_schema
from swe_together.simulator.model.fake import called
from tests.simulator.cases import NEVER, ON_QUESTION, insisting, script
from tests.simulator.model.users import BACKGROUND, anchored, choice, decide, requests

A = {"id": "a", "message": "why do we need a cache here"}
B = {"id": "b", "message": "split at semicolons too, like C:\\ paths", "required": True}


def test_the_authored_words_unless_they_are_fitted_lightly() -> None:
    user = anchored(script(A, B), choice("b"), choice("a", "hm, why do we need a cache here?"))
    first = decide(user)
    assert (first.message, first.anchors, first.guards) == (B["message"], ["b"], [])
    assert first.reason == "b is eligible; the model: because"
    second = decide(user, 2)
    assert (second.message, second.anchors, second.kind) == (
        "hm, why do we need a cache here?",
        ["a"],
        MessageKind.ANCHOR,
    )


def test_without_anything_to_say_no_model_is_asked() -> None:
    user = anchored(script(A | {"condition": NEVER}))
    decision = decide(user)
    assert decision.end is EndReason.USER_LEFT
    assert user.last_call is None


def test_an_agent_that_asks_gets_the_personas_reply_without_a_model() -> None:
    decision = decide(anchored(script(A | {"condition": NEVER})), reply="Shall I?", agent_asks=True)
    assert (decision.message, decision.kind) == (ON_QUESTION, MessageKind.ON_QUESTION)


def test_a_required_anchor_overrides_silence_towards_an_agent_that_waits() -> None:
    decision = decide(anchored(script(A, B), choice("no_op")))
    assert (decision.anchors, decision.guards, decision.end) == (["b"], ["required: b"], None)


def test_silence_towards_an_agent_that_works_on_is_silence() -> None:
    decision = decide(anchored(script(A, B), choice("no_op")), yielded=False)
    assert (decision.message, decision.end, decision.guards) == (None, None, [])


def test_an_owed_insist_comes_before_a_new_anchor() -> None:
    user = anchored(script(insisting(), A | {"id": "c", "source_turn": 2}), choice("a"), choice("c", "why a cache"))
    decide(user)
    decision = decide(user, 2)
    assert (decision.message, decision.kind) == ("still not", MessageKind.INSIST)
    assert "insist_first: a" in decision.guards


@pytest.mark.parametrize("wrong", ["c", "windows", "A", "later"])
def test_what_may_not_be_said_is_asked_again(wrong: str) -> None:
    spec = script(A, {"id": "later", "after": ["a"]})
    user = anchored(spec, choice(wrong), choice("a"))
    assert decide(user).anchors == ["a"]
    call = user.last_call
    assert call is not None
    assert call.retries == 1
    assert [refused.guard for refused in call.refused] == [None]
    assert "may not be said now; choose one of: a, no_op." in call.refused[0].problem
    first, again = requests(user)
    assert again.system == first.system
    assert (first.schema, again.schema) == (chosen_schema(["a", "later"]), chosen_schema(["a"]))
    assert "# Your last answer could not be used\n- " in again.text


def test_three_answers_without_a_valid_form_are_a_simulator_error() -> None:
    user = anchored(script(A), Completion(content="I'd rather not."), Completion(), choice("zzz"), choice("a"))
    with pytest.raises(SimulatorError, match=r"'listed' gave no usable answer in 3 tries: It is no call"):
        decide(user)


def test_more_than_a_light_adaptation_gives_the_authored_words_at_once() -> None:
    user = anchored(script(A), choice("a", "please remove the cache"))
    decision = decide(user)
    assert decision.message == A["message"]
    assert decision.guards == ["adaptation: 'need' is missing; said as authored"]
    assert user.last_call is not None
    assert user.last_call.retries == 0


LONG = "why do we need a cache here now, it was fast before and nobody has asked for one"
CAUGHT = [
    ("meta", f"{LONG}, in this benchmark"),
    ("role_inversion", f"{LONG}. let me fix it"),
    ("role_inversion", f"you're welcome. {LONG}"),
    ("reasoning_leak", f"as the user i say: {LONG}"),
]


@pytest.mark.parametrize(("guard", "words"), CAUGHT)
def test_caught_words_are_asked_again_and_then_replaced(guard: str, words: str) -> None:
    user = anchored(script(A | {"message": LONG}), *[choice("a", words)] * 3)
    decision = decide(user)
    assert (decision.message, decision.kind) == (LONG, MessageKind.ANCHOR)
    assert decision.guards[0].startswith(f"{guard}: The message can't be sent: ")
    assert decision.guards[-1] == "authored_words"
    assert user.last_call is not None
    assert [refused.guard for refused in user.last_call.refused] == [guard] * 3


def test_words_that_are_right_the_second_time_are_sent() -> None:
    user = anchored(script(A | {"message": LONG}), choice("a", f"{LONG}. let me fix it"), choice("a", f"hm, {LONG}"))
    decision = decide(user)
    assert decision.message == f"hm, {LONG}"
    assert len(decision.guards) == 1


def test_a_choice_whose_words_were_caught_counts_although_later_answers_are_no_answers() -> None:
    caught = choice("a", f"you're welcome. {LONG}")
    decision = decide(anchored(script(A | {"message": LONG}), caught, Completion(), Completion(content="no")))
    assert (decision.message, decision.guards[-1]) == (LONG, "authored_words")


def test_everything_that_was_asked_is_recorded() -> None:
    priced = Completion(
        calls=choice("a").calls, input_tokens=100, cached_tokens=80, output_tokens=9, cost_usd=0.5,
        faults=("RateLimitError: slow down",), dropped=("temperature",), structure="tool",
    )  # fmt: skip
    dear = Completion(content="x" * 50_000, input_tokens=50, cached_tokens=None, output_tokens=1, cost_usd=0.25)
    user = anchored(script(A), dear, priced)
    decide(user)
    call = user.last_call
    assert call is not None
    assert (call.model, call.input_tokens, call.cached_tokens, call.output_tokens) == ("listed", 150, None, 10)
    assert (call.cost_usd, call.retries, call.faults) == (0.75, 2, ["RateLimitError: slow down"])
    assert (call.dropped, call.structure, call.session_sec) == (["temperature"], "tool", 5400.0)
    assert len(call.prompt_sha256) == 64
    assert [(one.anchor, one.message) for one in call.options] == [("a", A["message"])]
    assert len(call.refused[0].raw) == 20_000
    assert '"choice' in call.raw


def test_an_unknown_cost_is_unknown_and_never_zero() -> None:
    user = anchored(script(A), choice("a"))
    decide(user)
    assert user.last_call is not None
    assert (user.last_call.cost_usd, user.last_call.input_tokens) == (None, None)


def test_with_no_time_left_the_session_ends_and_no_model_is_asked() -> None:
    user = anchored(script(A), choice("a"))
    decision = decide(user, elapsed_sec=5399.5)
    assert decision.end is EndReason.TIME_BUDGET
    assert user.last_call is None


def test_a_name_of_the_reference_is_no_secret_once_the_repository_shows_it() -> None:
    spec = script(A | {"message": "why is _collect_groups private"})
    assert decide(anchored(spec, choice("a", "hm, why is _collect_groups private"))).guards == []
    assert BACKGROUND.secrets.names == {"_collect_groups"}


def test_arguments_of_the_wrong_type_never_become_a_choice() -> None:
    user = anchored(script(A), called({"reason": "x", "choice": True, "words": None}), choice("a"))
    assert decide(user).anchors == ["a"]
    assert user.last_call is not None
    assert "choice: Input should be a valid string" in user.last_call.refused[0].problem


def test_a_lost_world_is_no_fault_of_the_user() -> None:
    user = anchored(script(A | {"condition": {"path_exists": "x"}}), choice("a"))
    with pytest.raises(EnvironmentFault):
        decide(user, 1, FakeWorld(failing=["path_exists"]))
