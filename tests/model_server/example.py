"""The session that these tests play."""

from __future__ import annotations

from tests.support.model_server import SessionScript, Shell, Turn

KEY = "session-one"
SCRIPT = SessionScript(
    (
        Turn("Make the first file.", (Shell("printf one > a"), Shell("cat a")), "Made a."),
        Turn('Now the "second" file.', (Shell("printf two > b"),), "Made b."),
    )
)
