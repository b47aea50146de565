"""Does a submission obey the rules that hold? Strict: every object of a rule's kinds, and at least one of them.

Nothing of a submission is executed. A file is parsed once, however many rules and queries look at it.
"""

from collections.abc import Collection, Mapping, Sequence

from checker._checks import PUBLISHED_CHECKS, Check
from checker._file_checks import FILE_CHECKS
from checker._idiom_checks import IDIOM_CHECKS
from checker._rules_model import Active, ObjectKind, Rule, RuleResult, Submission, Variant
from checker._work import Finding, Work
from checker.rules import active_variants

CHECKS: Mapping[str, Check] = {**PUBLISHED_CHECKS, **FILE_CHECKS, **IDIOM_CHECKS}


def check(
    submission: Submission,
    active: Active,
    *,
    introduced: Mapping[str, Sequence[str]] | None = None,
    profile: Collection[ObjectKind] | None = None,
) -> list[RuleResult]:
    """Judge a submission by every active rule that applies to it.

    Args:
        submission: What was written for one query.
        active: The rules that hold, each with the variant that was told last.
        introduced: Rule id to the ids of its variants in the order of telling, for ``stale``.
        profile: The kinds that an answer must hold (:attr:`Query.profile`); None: every kind. A rule applies if one of
            its kinds is among them, and then absence fails; or if the submission has an object of its kinds.

    Returns:
        One result for each rule that applies, in the order of the rules; the others are left out, not failed or met.

    Raises:
        MisuseError: An active or introduced rule or variant isn't known.
    """
    work = Work(submission)
    results = []
    for rule, variant in active_variants(active):
        demanded = profile is None or any(kind in profile for kind in rule.objects)
        finding = _find(work, rule, variant)
        if finding.objects == 0 and not demanded:
            continue
        reason = finding.offence or ("" if finding.objects else f"there is no {' or '.join(rule.objects)} to judge")
        stale = _stale(work, rule, variant, (introduced or {}).get(rule.id, ())) if reason else None
        results.append(RuleResult(rule.id, variant.id, not reason, finding.objects, reason, stale))
    return results


def _find(work: Work, rule: Rule, variant: Variant) -> Finding:
    if work.error and ObjectKind.COMMIT not in rule.objects:
        return Finding(0, work.error)
    return CHECKS[rule.family](work, rule, variant.value)


def _stale(work: Work, rule: Rule, variant: Variant, introduced: Sequence[str]) -> str | None:
    """The latest earlier variant that every object obeys."""
    for _, earlier in reversed([pair for id in introduced for pair in active_variants({rule.id: id})]):
        if earlier.id != variant.id:
            finding = _find(work, rule, earlier)
            if finding.objects and not finding.offence:
                return earlier.id
    return None
