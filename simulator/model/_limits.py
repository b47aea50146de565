"""Limits of what is sent to a model and taken from it. Characters and seconds unless a name says otherwise."""

from typing import Final

from swe_together import defaults

# --- the prompt: each part has its own limit, so that no session and no diff can make a call larger ------------
PERSONA_CHARS: Final = 1_500
ANALYSIS_CHARS: Final = 6_000
INSTRUCTION_CHARS: Final = 6_000
POINTS_CHARS: Final = 10_000
SAID_CHARS: Final = 10_000
STANDING_CHARS: Final = 3_000
OPTIONS_CHARS: Final = 4_000
REPLY_CHARS: Final = defaults.REPLY_CHARS
COMMANDS_CHARS: Final = 1_000
COMMAND_CHARS: Final = 160
OUTPUT_CHARS: Final = 240
PATHS_CHARS: Final = 600
DIFF_CHARS: Final = 1_200
"""Of the diff where no part of it concerns a pending anchor."""
DIFF_MATCHING_CHARS: Final = 4_000
"""Of the diff where parts of it do: those come first."""
HUNK_CHARS: Final = 1_000
TRIED_CHARS: Final = 1_500
NOTES_CHARS: Final = 1_500
"""Of the reasons why earlier answers in the same turn were refused."""
PROMPT_CHARS: Final = 64_000
"""Of a whole call: system text, user text and the form of the answer."""

# --- the answer ------------------------------------------------------------------------------------------------
MESSAGE_CHARS: Final = 4_000
REASON_CHARS: Final = 1_000
QUOTE_CHARS: Final = 500
MAX_ANSWERS: Final = 3
"""One answer, and two more chances where it can't be used."""
OUTPUT_TOKENS: Final = 8_000
RAW_CHARS: Final = 20_000
"""Of one answer as it is kept in the record."""

# --- faults of the provider ------------------------------------------------------------------------------------
CALL_SEC: Final = 120.0
MAX_FAULTS: Final = 6
"""Requests of one answer that may fail before the user counts as failed."""
BACKOFF_SEC: Final = 1.0
BACKOFF_MAX_SEC: Final = 60.0
MIN_CALL_SEC: Final = 1.0
"""With less of the session's time left, no model is asked any more."""
