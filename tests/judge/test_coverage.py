"""Intent Coverage: values worked out by hand, exact for anchors, by a model for free words."""

from typing import Any

import pytest

from swe_together.errors import TaggerError
from swe_together.judge import intent_coverage
from swe_together.judge.fake import ListedChat, called
from swe_together.providers import Completion
from swe_together.schema import Anchor, Dialogue, IntentCoverage, Intents
from tests.judge.cases import dialogue

IDS = ["split", "longest", "why-cache", "docs"]


def intents(*ids: str) -> Intents:
    rows = [{"id": one, "source_turn": 1, "kind": "request", "text": f"wants {one}"} for one in ids]
    return Intents.model_validate({"intents": rows})


def anchor(name: str, *served: str) -> Anchor:
    return Anchor.model_validate(
        {"id": name, "source_turn": 1, "action": "question", "message": f"say {name}", "intents": list(served)}
    )


ANCHORS = [anchor("a-split", "split"), anchor("a-longest", "longest"), anchor("a-why", "why-cache"),
           anchor("a-docs", "docs"), anchor("a-both", "split", "docs"), anchor("a-none")]  # fmt: skip
FIRST = {"message": "clean please", "reply": "Done."}


def said(*anchors: str, kind: str = "anchor") -> dict[str, Any]:
    return {"message": "words", "kind": kind, "anchors": list(anchors), "tags": ["request"]}


def session(*turns: dict[str, Any], satisfied: tuple[str, ...] = (), **others: str) -> Dialogue:
    settled = [{"anchor": one, "how": "satisfied", "reason": "seen"} for one in satisfied]
    settled += [{"anchor": one.replace("_", "-"), "how": how, "reason": "so"} for one, how in others.items()]
    return dialogue(FIRST, *turns, settled=settled)


async def covered(given: Dialogue, *ids: str, matcher: ListedChat | None = None) -> IntentCoverage:
    return await intent_coverage(intents(*(ids or IDS)), ANCHORS, given, matcher)


@pytest.mark.parametrize(
    ("given", "recall", "precision", "overall"),
    [
        # all four said, four messages of four matched
        (session(*(said(one) for one in ("a-split", "a-longest", "a-why", "a-docs"))), 1.0, 1.0, 1.0),
        # two of four intents: 0.7 · 0.5 + 0.3
        (session(said("a-split"), said("a-longest")), 0.5, 1.0, 0.65),
        # one message, two intents: 0.7 · 0.5 + 0.3
        (session(said("a-both")), 0.5, 1.0, 0.65),
        # an insist says the same again: one intent, two matched messages: 0.7 · 0.25 + 0.3
        (session(said("a-split"), said("a-split", kind="insist")), 0.25, 1.0, 0.475),
        # one of two messages matched; 0.7 · 0.25 + 0.3 · 0.5
        (session(said("a-split"), said("a-none")), 0.25, 0.5, 0.325),
        (session(said("a-split"), said(kind="on_question")), 0.25, 0.5, 0.325),
        # said nothing: no precision, overall is recall alone
        (session(), 0.0, None, 0.0),
        # three of four done unasked, nothing said
        (session(satisfied=("a-split", "a-longest", "a-docs")), 0.75, None, 0.75),
        # everything done unasked: nobody had to say a word, and nothing of the session is lost
        (session(satisfied=("a-split", "a-longest", "a-why", "a-docs")), 1.0, None, 1.0),
        # one said, one done unasked: 0.7 · 0.5 + 0.3
        (session(said("a-split"), satisfied=("a-longest",)), 0.5, 1.0, 0.65),
        # what expired or was dismissed was neither said nor done
        (session(said("a-split"), a_why="expired", a_docs="dismissed"), 0.25, 1.0, 0.475),
    ],
)
async def test_exact(given: Dialogue, recall: float, precision: float | None, overall: float) -> None:
    found = await covered(given)
    assert (found.recall, found.precision) == (recall, precision)
    assert found.overall == pytest.approx(overall, abs=1e-12)
    assert found.question is None


async def test_without_intents_it_is_undefined_whatever_was_said() -> None:
    for given in (session(), session(said("a-none")), session({"message": "hm", "kind": "free"})):
        found = await intent_coverage(intents(), [anchor("a-none")], given, ListedChat([]))
        assert (found.recall, found.precision, found.overall) == (None, None, None)
        assert "no intents" in found.why


async def test_the_first_message_neither_costs_nor_earns() -> None:
    long = dialogue({"message": "split, longest, why the cache, docs", "reply": "Done."}, said("a-split"))
    assert (await covered(long)).overall == (await covered(session(said("a-split")))).overall


async def test_who_covered_it_is_told() -> None:
    found = await covered(session(said("a-split"), said("a-split", kind="insist"), satisfied=("a-longest",)))
    assert [(one.intent, one.confidence, one.by, one.turns) for one in found.intents] == [
        ("split", 1.0, "message", [2, 3]),
        ("longest", 1.0, "agent", []),
        ("why-cache", 0.0, "none", []),
        ("docs", 0.0, "none", []),
    ]
    assert [(one.turn, one.scope, one.source) for one in found.messages] == [
        (2, "intent", "authored"), (3, "intent", "authored"),
    ]  # fmt: skip


async def test_another_tasks_dialogue_is_refused() -> None:
    with pytest.raises(TaggerError, match="names the anchor 'a-other'"):
        await covered(session(said("a-other")))
    with pytest.raises(TaggerError, match="the intent 'docs'"):
        await covered(session(said("a-docs")), "split")


FREE = {"message": "where is the docs page", "kind": "free", "tags": ["question"]}
THANKS = {"message": "ok nice", "kind": "free", "tags": ["approval"]}


def matched(
    rows: dict[str, tuple[int | None, float]], messages: dict[int, tuple[list[str], str]]
) -> tuple[str, dict[str, Any]]:
    return "match", {
        "intents": [
            {"intent": one, "reason": "r", "message": turn, "confidence": sure} for one, (turn, sure) in rows.items()
        ],
        "messages": [
            {"message": turn, "reason": "r", "intents": found, "scope": scope}
            for turn, (found, scope) in messages.items()
        ],
    }


NONE: dict[str, tuple[int | None, float]] = dict.fromkeys(IDS, (None, 0))
GOOD = matched(NONE | {"docs": (3, 0.8)}, {3: (["docs"], "intent"), 4: ([], "extra")})
MIXED = session(said("a-split"), FREE, THANKS)


async def test_free_words_by_a_model() -> None:
    matcher = ListedChat([GOOD])
    found = await covered(MIXED, matcher=matcher)
    # (1 + 0 + 0 + 0.8) / 4, two of three messages: 0.7 · 0.45 + 0.3 · 2/3
    assert (found.recall, found.precision) == (0.45, pytest.approx(2 / 3))
    assert found.overall == pytest.approx(0.515)
    assert [(one.turn, one.scope, one.source) for one in found.messages] == [
        (2, "intent", "authored"), (3, "intent", "model"), (4, "extra", "model"),
    ]  # fmt: skip
    assert found.question is not None
    (asked,) = matcher.asked
    assert "- docs (request): wants docs" in asked.opening
    assert "## Message 2" not in asked.opening


async def test_the_surest_match_counts_and_words_that_say_it_again_are_matched() -> None:
    again = matched(NONE | {"split": (3, 0.3)}, {3: (["split"], "intent"), 4: ([], "repetitive")})
    found = await covered(MIXED, matcher=ListedChat([again]))
    assert (found.recall, found.precision) == (0.25, pytest.approx(2 / 3))
    assert found.intents[0].turns == [2, 3]


async def test_free_words_without_a_model_are_unknown_not_unmatched() -> None:
    found = await covered(MIXED)
    assert (found.recall, found.precision, found.overall) == (None, None, None)
    assert found.why == "2 messages in free words need a model"


def without(*ids: str) -> dict[str, tuple[int | None, float]]:
    return {one: match for one, match in NONE.items() if one not in ids}


EMPTY: dict[int, tuple[list[str], str]] = {3: ([], "extra"), 4: ([], "extra")}


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (called(matched(without("docs"), EMPTY)), "intents are missing: docs"),
        (called(matched(NONE | {"taxes": (None, 0)}, EMPTY)), "not of the list: taxes"),
        (called(matched(NONE, {3: (["taxes"], "intent"), 4: ([], "extra")})), "not of the list: taxes"),
        (called(matched(NONE, {3: ([], "extra")})), "messages are missing: 4"),
        (called(matched(NONE, EMPTY | {2: ([], "extra")})), "were not shown: 2"),
        (called(matched(NONE | {"docs": (3, 1.5)}, {3: (["docs"], "intent"), 4: ([], "extra")})), "confidence"),
        (called(matched(NONE | {"docs": (3, True)}, {3: (["docs"], "intent"), 4: ([], "extra")})), "confidence"),
        (called(matched(NONE | {"docs": (None, 0.5)}, EMPTY)), "exactly where confidence is 0"),
        (called(matched(NONE | {"docs": (3, 0)}, {3: (["docs"], "intent"), 4: ([], "extra")})), "confidence is 0"),
        (called(matched(NONE | {"docs": (3, 0.5)}, EMPTY)), "message 3, which doesn't name it"),
        (called(matched(NONE, {3: (["docs"], "intent"), 4: ([], "extra")})), "docs has no message"),
        (called(matched(NONE, {3: ([], "intent"), 4: ([], "extra")})), "exactly where it expresses one"),
        (called(matched(NONE, {3: ([], "great"), 4: ([], "extra")})), "scope"),
        (Completion(content=""), "empty"),
    ],
)
async def test_what_is_no_answer_is_asked_again_twice(answer: Completion, problem: str) -> None:
    matcher = ListedChat([answer, answer, GOOD])
    found = await covered(MIXED, matcher=matcher)
    assert found.question is not None
    assert [problem in one.problem for one in found.question.refused] == [True, True], found.question.refused
    with pytest.raises(TaggerError, match="no usable answer in 3 tries"):
        await covered(MIXED, matcher=ListedChat([answer, answer, answer, GOOD]))
