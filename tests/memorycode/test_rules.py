"""The rules are those that were published, and enough of our own."""

from pathlib import Path

import pytest

from swe_together.errors import MisuseError
from swe_together.memorycode.contradictions import contradictions
from swe_together.memorycode.oracle import SOLUTIONS
from swe_together.memorycode.queries import QUERIES, serving
from swe_together.memorycode.rules import RULES, active_variants

PUBLISHED = [rule for rule in RULES.values() if rule.published]
NEW = [rule for rule in RULES.values() if not rule.published]


def test_the_published_rules_are_all_there() -> None:
    assert [rule.id for rule in PUBLISHED] == [f"p{number:02}" for number in range(51)]
    assert sum(len(rule.variants) for rule in PUBLISHED) == 123
    assert [rule.id for rule in PUBLISHED if rule.updatable] == ["p00", *(f"p{number:02}" for number in range(6, 16))]
    assert [len(RULES[f"p{number:02}"].variants) for number in (0, 6, 15)] == [3, 8, 8]


def test_enough_rules_are_new_and_can_be_updated() -> None:
    assert len({rule.family for rule in NEW}) == len(NEW) >= 20
    assert sum(rule.updatable for rule in NEW) >= 20
    assert not {rule.family for rule in NEW} & {rule.family for rule in PUBLISHED}


def test_every_variant_says_something_of_its_own() -> None:
    texts = [variant.text for rule in RULES.values() for variant in rule.variants]
    assert len(set(texts)) == len(texts)
    assert all(text[0].isupper() and text.endswith((".", ")")) and "{}" not in text for text in texts)
    for rule in RULES.values():
        assert len({variant.id for variant in rule.variants}) == len({variant.value for variant in rule.variants})


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_served_by_a_query(rule: str) -> None:
    assert serving(rule)
    for query in serving(rule):
        assert set(RULES[rule].objects) & QUERIES[query].profile


def test_every_query_is_whole() -> None:
    assert set(SOLUTIONS) == set(QUERIES)
    for query in QUERIES.values():
        assert query.path in query.text
        assert f"test_{query.path}" in query.text and "commit" in query.text
        asked = query.tests.get("function") or query.tests["class"]
        assert f"`{asked}" in query.text
        assert sum("raises" in str(case) for case in query.tests["cases"]) >= 1
        assert len(query.tests["cases"]) >= 2


def test_unknown_rules_and_variants_are_misuse() -> None:
    with pytest.raises(MisuseError, match="no rule 'p51'"):
        active_variants({"p51": "only"})
    with pytest.raises(MisuseError, match=r"rule indent has no variant 'four'.*two, three, tab"):
        contradictions({"indent": "four"})
    with pytest.raises(MisuseError, match="no rule"):
        serving("p51")


def test_variants_come_in_the_order_of_the_rules() -> None:
    assert [rule.id for rule, _ in active_variants({"indent": "tab", "p07": "x_", "p01": "only"})] == [
        "p01",
        "p07",
        "indent",
    ]


def test_the_document_lists_our_own_rules() -> None:
    section = (Path(__file__).parents[2] / "docs" / "memorycode.md").read_text(encoding="utf-8")
    section = section.split("\n## Rules\n", 1)[1].split("\n## ", 1)[0]
    for rule in NEW:
        row = f"| `{rule.id}` | {len(rule.variants)} | {', '.join(rule.objects)} | {rule.variants[0].text} |"
        assert row in section
    assert section.count("\n| `") == len(NEW)
