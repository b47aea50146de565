"""The session that every client plays: three user turns, each with work that leaves a file, and one call that fails."""

from __future__ import annotations

from tests.support.model_server import Fault, SessionScript, Shell, Turn

# Each command prints what its own text doesn't hold, so that a result in a later request proves that it was run. None
# has a `$(`: Gemini CLI runs no such command unasked. And none ends at once: Qwen Code may lose what it printed then.
SCRIPT = SessionScript(
    (
        Turn(
            "Please make a.txt with the word one in it.",
            (
                Shell("printf one > a.txt && echo first_42 | tr _ - && sleep 0.5"),
                Shell("wc -c < a.txt && echo second_52 | tr _ - && sleep 0.5"),
            ),
            "I made a.txt.",
        ),
        Turn(
            "now the same for \"b.txt\", it's called two there – don't touch a.txt",
            (Shell("printf two > b.txt && echo third_62 | tr _ - && sleep 0.5"),),
            "I made b.txt and left a.txt alone.",
        ),
        Turn(
            "and c.txt with three.\nthat's all",
            (Shell("printf three > c.txt && echo fourth_72 | tr _ - && sleep 0.5"),),
            "I made c.txt.",
        ),
    ),
    faults=(Fault(call=2, status=500),),
)
MESSAGES = [turn.message for turn in SCRIPT.turns]
OUTPUTS = [["first-42", "second-52"], ["third-62"], ["fourth-72"]]
FIRST_TURN_OUTPUTS = OUTPUTS[0]
FILES = {"a.txt": "one", "b.txt": "two", "c.txt": "three"}
