"""Oracles against the checker: what obeys scores 1.0, what was told nothing fails, what is stale is seen as such."""

import random
import subprocess
import sys

import pytest

from swe_together.errors import MisuseError
from swe_together.memorycode.checker import check
from swe_together.memorycode.contradictions import contradictions
from swe_together.memorycode.generate import Recipe, generate
from swe_together.memorycode.oracle import SOLUTIONS, oracle
from swe_together.memorycode.queries import QUERIES, serving
from swe_together.memorycode.rules import RULES
from tests.memorycode.silent import Silent

RANDOM_SETS = 500


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_obeyed_blind_and_stale(rule) -> None:  # type: ignore[no-untyped-def]
    """Each variant with the first, a middle and the last query that serve it."""
    queries = serving(rule.id)
    for query in {queries[0], queries[len(queries) // 2], queries[-1]}:
        profile = QUERIES[query].profile
        blind = oracle(query, {})
        answers = {variant.id: oracle(query, {rule.id: variant.id}) for variant in rule.variants}
        for variant in rule.variants:
            (obeyed,) = check(answers[variant.id], {rule.id: variant.id}, profile=profile)
            assert obeyed.met and obeyed.objects and not obeyed.reason
            (told_nothing,) = check(blind, {rule.id: variant.id}, profile=profile)
            assert not told_nothing.met and told_nothing.reason
            for earlier in rule.variants:
                if earlier.id == variant.id:
                    continue
                order = {rule.id: [earlier.id, variant.id]}
                (stale,) = check(answers[earlier.id], {rule.id: variant.id}, introduced=order, profile=profile)
                assert (stale.met, stale.stale) == (False, earlier.id), stale


def _draw(rng: random.Random) -> dict[str, str]:
    active: dict[str, str] = {}
    for rule in rng.sample(list(RULES.values()), rng.randint(1, len(RULES))):
        more = {**active, rule.id: rng.choice(rule.variants).id}
        active = active if contradictions(more) else more
    return active


def test_any_rules_can_be_obeyed_together() -> None:
    rng = random.Random(8)
    blind = {query: oracle(query, {}) for query in QUERIES}
    judged = 0
    for _ in range(RANDOM_SETS):
        active, query = _draw(rng), rng.choice(list(QUERIES.values()))
        results = check(oracle(query, active), active, profile=query.profile)
        assert [result for result in results if not result.met] == []
        assert {r.rule for r in results} >= {r for r in active if query.profile & set(RULES[r].objects)}
        judged += len(results)
        # Told nothing, none of the rules on what was asked for is met.
        asked = {rule: id for rule, id in active.items() if query.profile & set(RULES[rule].objects)}
        assert [r for r in check(blind[query.id], asked, profile=query.profile) if r.met] == []
    assert judged > 8 * RANDOM_SETS


def test_one_stale_rule_among_many_is_the_only_one_that_fails() -> None:
    rng = random.Random(9)
    seen = 0
    for _ in range(100):
        active, query = _draw(rng), rng.choice(list(QUERIES.values()))
        updatable = [r for r in active if RULES[r].updatable and query.profile & set(RULES[r].objects)]
        if not updatable:
            continue
        rule = rng.choice(updatable)
        earlier = rng.choice([v.id for v in RULES[rule].variants if v.id != active[rule]])
        before = {**active, rule: earlier}
        if contradictions(before):
            continue
        order = {rule: [earlier, active[rule]]}
        results = check(oracle(query, before), active, introduced=order, profile=query.profile)
        assert [(r.rule, r.stale) for r in results if not r.met] == [(rule, earlier)]
        seen += 1
    assert seen > 50


def test_500_dialogues_are_obeyed_broken_and_seen_as_stale() -> None:
    """Whole dialogues of all pools and of up to 24 sessions, with the requests they end in."""
    rng = random.Random(10)
    dialogues = [
        one
        for pool, seed in (("all", 1), ("all", 2), ("published", 3), ("new", 4))
        for one in generate(Recipe(seed, sizes=[2, 4, 8, 12, 24], per_size=25, pool=pool), Silent())  # type: ignore[arg-type]
    ]
    assert len(dialogues) == RANDOM_SETS
    judged = stale = 0
    for dialogue in dialogues:
        updated = [rule for rule in dialogue.active_rules if rule.updated]
        old = rng.choice(updated) if updated else None
        before = {**dialogue.active, old.rule: old.variants[-2]} if old else {}
        order = {rule.rule: rule.variants for rule in dialogue.active_rules}
        reached = set()
        for query in dialogue.requests:
            profile = QUERIES[query].profile
            results = check(oracle(query, dialogue.active), dialogue.active, introduced=order, profile=profile)
            assert [result for result in results if not result.met] == [], dialogue.name
            reached |= {result.rule for result in results}
            judged += len(results)
            asked = {rule: id for rule, id in dialogue.active.items() if profile & set(RULES[rule].objects)}
            blind = check(oracle(query, {}), asked, introduced=order, profile=profile)
            assert len(blind) == len(asked)
            assert [result for result in blind if result.met] == [], dialogue.name
            if old is None or old.rule not in asked or contradictions(before):
                continue
            late = check(oracle(query, before), dialogue.active, introduced=order, profile=profile)
            assert [(r.rule, r.stale) for r in late if not r.met] == [(old.rule, old.variants[-2])], dialogue.name
            stale += 1
        assert reached == dialogue.active.keys(), "every rule in force is judged on a request at least"
    assert judged > 8 * RANDOM_SETS
    assert stale > RANDOM_SETS / 2


def test_the_oracle_knows_nothing_of_the_checker() -> None:
    """Were one written from the other, their agreement would prove nothing."""
    code = (
        "import sys, swe_together.memorycode.oracle\n"
        "print([m for m in sys.modules if m.startswith('swe_together.memorycode.') and "
        "m.rsplit('.')[-1] in ('checker', '_checks', '_file_checks', '_idiom_checks', '_work', '_code')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_same_answer_every_time() -> None:
    active = _draw(random.Random(3))
    for query in SOLUTIONS:
        assert oracle(query, active) == oracle(QUERIES[query], dict(reversed(active.items())))


def test_an_unknown_query_is_misuse() -> None:
    with pytest.raises(MisuseError, match="no query 'poem'"):
        oracle("poem", {})
