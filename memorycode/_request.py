"""What every request shares: file, tests, commit, and how names bend to conventions."""

from swe_together.memorycode._rules_model import ObjectKind as K

ANY_ANSWER: frozenset[K] = frozenset(
    {K.MODULE, K.TEST, K.COMMIT, K.COMMENT, K.STRING, K.VARIABLE, K.RAISE, K.RETURN, K.FORMAT, K.CONSTANT}
)
"""Kinds that the answer to any request holds; a comment only where a rule asks for comments."""


def request(text: str, path: str) -> str:
    """The whole request."""
    return (
        f"{text} Write it in a new file `{path}`, add a test file `test_{path}` with at least two test functions, and "
        "make one commit of it all. Where our conventions ask for it, change names, places and forms, but keep the "
        "words of a name in their order, and the arguments in theirs."
    )
