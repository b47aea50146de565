"""The session that every client plays: three user turns, each with work that leaves a file."""

from __future__ import annotations

from tests.support.model_server import SessionScript, Shell, Turn

# Each command prints what its own text doesn't hold, so that a result in a later request proves that it was run.
SCRIPT = SessionScript(
    (
        Turn(
            "Please make a.txt with the word one in it.",
            (Shell("printf one > a.txt && echo first-$((40 + 2))"), Shell("wc -c < a.txt && echo second-$((50 + 2))")),
            "I made a.txt.",
        ),
        Turn(
            "now the same for \"b.txt\", it's called two there – don't touch a.txt",
            (Shell("printf two > b.txt && echo third-$((60 + 2))"),),
            "I made b.txt and left a.txt alone.",
        ),
        Turn(
            "and c.txt with three.\nthat's all",
            (Shell("printf three > c.txt && echo fourth-$((70 + 2))"),),
            "I made c.txt.",
        ),
    )
)
MESSAGES = [turn.message for turn in SCRIPT.turns]
FIRST_TURN_OUTPUTS = ["first-42", "second-52"]
FILES = {"a.txt": "one", "b.txt": "two", "c.txt": "three"}
