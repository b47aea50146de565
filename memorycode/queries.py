"""What can be asked for: small pieces of code with a declared profile and functional tests."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from swe_together.errors import MisuseError
from swe_together.memorycode._class_queries import CLASS_QUERIES
from swe_together.memorycode._function_queries import FUNCTION_QUERIES
from swe_together.memorycode._rules_model import Query
from swe_together.memorycode.rules import RULES

QUERIES: Mapping[str, Query] = MappingProxyType({query.id: query for query in (*FUNCTION_QUERIES, *CLASS_QUERIES)})


@cache
def serving(rule_id: str) -> tuple[str, ...]:
    """Ids of the queries whose answers must hold an object that the rule is judged on; never empty.

    Raises:
        MisuseError: There is no such rule.
    """
    if rule_id not in RULES:
        raise MisuseError(f"there is no rule {rule_id!r}", "Name a rule of swe_together.memorycode.rules.RULES.")
    kinds = RULES[rule_id].objects
    return tuple(query.id for query in QUERIES.values() if any(kind in query.profile for kind in kinds))
