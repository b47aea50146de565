"""The one home of default values. Seconds, bytes or characters unless a name says otherwise."""

from typing import Final

FORMAT_VERSION: Final = 1
"""Version of the task file format and of every record we write."""

HARBOR_SUPPORTED: Final = ("0.23", "0.27")
"""Harbor versions that the adapter is tested with: at least the first, below the second."""

PASS_THRESHOLD: Final = 0.85

STOP_AFTER_ERRORS: Final = 10
"""A job whose first trials, so many, all fail alike is stopped."""

# --- a session -------------------------------------------------------------------------------
TURN_TIMEOUT_SEC: Final = 1800.0
SESSION_TIME_SEC: Final = 5400.0
SPARE_MESSAGES: Final = 2
"""Messages allowed beyond one for every anchor and insist."""
MAX_ON_QUESTION: Final = 2
KILL_GRACE_SEC: Final = 10.0
"""How long killing one turn's processes may take before it counts as an environment fault."""
FINISH_RESERVE_SEC: Final = 60.0
"""Part of Harbor's agent timeout kept free so that a session ends by its own decision."""

# --- what the simulated user sees of a turn ----------------------------------------------------
REPLY_CHARS: Final = 8_000
COMMANDS_SHOWN: Final = 40
COMMAND_CHARS: Final = 500
OUTPUT_CHARS: Final = 1_000
CHANGES_SHOWN: Final = 200
DIFF_CHARS: Final = 20_000
MATCHED_COMMANDS: Final = 5_000
"""Commands of one turn that `command_ran` looks at; the excerpt above is smaller."""

# --- what a model that plays the user is sent: each part has its limit, so that nothing makes a call larger ---
PERSONA_CHARS: Final = 1_500
ANALYSIS_CHARS: Final = 6_000
INSTRUCTION_CHARS: Final = 6_000
POINTS_CHARS: Final = 10_000
SAID_CHARS: Final = 10_000
STANDING_CHARS: Final = 3_000
OPTIONS_CHARS: Final = 4_000
COMMANDS_CHARS: Final = 1_000
"""Of all commands of a turn; the next two are of one of them."""
PROMPT_COMMAND_CHARS: Final = 160
PROMPT_OUTPUT_CHARS: Final = 240
PATHS_CHARS: Final = 600
PROMPT_DIFF_CHARS: Final = 1_200
"""Of the diff where no part of it concerns a pending anchor."""
DIFF_MATCHING_CHARS: Final = 4_000
"""Of the diff where parts of it do: those come first."""
HUNK_CHARS: Final = 1_000
TRIED_CHARS: Final = 1_500
NOTES_CHARS: Final = 1_500
"""Of the reasons why earlier answers in the same turn were refused."""
PROMPT_CHARS: Final = 64_000
"""Of a whole call: system text, user text and the form of the answer."""

# --- what that model may answer ------------------------------------------------------------------
MESSAGE_CHARS: Final = 4_000
REASON_CHARS: Final = 1_000
QUOTE_CHARS: Final = 500
MAX_ANSWERS: Final = 3
"""One answer, and two more chances where it can't be used."""
OUTPUT_TOKENS: Final = 8_000
RAW_CHARS: Final = 20_000
"""Of one answer as it is kept in the record."""

# --- faults of its provider ----------------------------------------------------------------------
CALL_SEC: Final = 120.0
MAX_FAULTS: Final = 6
"""Requests of one answer that may fail before the user counts as failed."""
BACKOFF_SEC: Final = 1.0
BACKOFF_MAX_SEC: Final = 60.0
MIN_CALL_SEC: Final = 1.0
"""With less of the session's time left, no model is asked any more."""

# --- the judge: one investigation (a vote) -----------------------------------------------------------
JUDGE_SEC: Final = 900.0
JUDGE_TURNS: Final = 40
"""Answers of the judge, the submission included."""
JUDGE_TOKENS: Final = 1_500_000
"""Tokens of all requests and answers of a vote together."""
JUDGE_RESERVE_SEC: Final = 60.0
"""Part of a vote's time that is kept for the submission."""
JUDGE_COMMAND_SEC: Final = 120.0
JUDGE_CALLS: Final = 8
"""Calls of tools in one answer."""
JUDGE_OUTPUT_CHARS: Final = 8_000
"""Of what one call of a tool gives back."""
JUDGE_LINES: Final = 400
"""Lines of a file that one call gives back."""
JUDGE_LINE_CHARS: Final = 400
JUDGE_HITS: Final = 60
"""Lines that one search gives back."""
JUDGE_COMMAND_CHARS: Final = 8_000
JUDGE_MESSAGE_CHARS: Final = 3_000
"""Of one user message in the dialogue that the judge sees."""
JUDGE_REPLY_CHARS: Final = 6_000
JUDGE_DIALOGUE_CHARS: Final = 60_000
JUDGE_CASE_CHARS: Final = 400
"""Of what one failed case says."""
JUDGE_CASES_CHARS: Final = 12_000
JUDGE_REASON_CHARS: Final = 2_000
JUDGE_CITATIONS: Final = 12
"""Pieces of evidence that one verdict may cite."""

# --- drafting a rubric: the author and the critic, each -----------------------------------------------
DRAFT_SEC: Final = 1800.0
DRAFT_TURNS: Final = 60
DRAFT_CHARS: Final = 120_000
"""Of all that the author is shown, the longest parts cut first."""
DRAFT_GOALS: Final = 15
DRAFT_FINDINGS: Final = 40

# --- tags and intents of the user's messages -------------------------------------------------------
TAGGER_SEC: Final = 300.0
TAGGER_REPLY_CHARS: Final = 2_000
"""Of the agent's turn that is shown as context of a message."""
TAGGER_CHARS: Final = 60_000
"""Of all messages and turns in one request."""
NUDGE_WEIGHT: Final = 0.2
"""What a nudge counts in User Correction, where a correction counts one."""
RECALL_WEIGHT: Final = 0.7
"""Share of recall in Intent Coverage; the rest is precision."""

# --- a person who plays the user -------------------------------------------------------------------
PERSON_WAIT_SEC: Final = 86_400.0
"""How long a session waits for one message of a person."""
PERSON_SESSION_SEC: Final = 30 * 86_400.0
"""Harbor's agent timeout where a person plays the user: their time is not the agent's."""
PERSON_CHARS: Final = 100_000
"""Of one message of a person."""

# --- predicates --------------------------------------------------------------------------------
FILE_BYTES: Final = 2_000_000
"""A file longer than this is matched on its first bytes only."""
DIFF_BYTES: Final = 8_000_000
"""Bytes of the session's delta that `diff_matches` looks at; files come smallest first."""
PATTERN_CHARS: Final = 1_000
PROBE_TIMEOUT_SEC: Final = 30.0
PROBE_OUTPUT_BYTES: Final = 64_000
PROBE_PROCESSES: Final = 256

# --- containers --------------------------------------------------------------------------------
STATE_DIR: Final = "/var/lib/swe-together"
"""In the container: the packed final state and the session marker, owned by root."""
STATE_FILE: Final = "state.tar"
MARKER_FILE: Final = "session.json"
WORKSPACE: Final = "/workspace"
AGENT_USER: Final = "agent"
EXEC_TIMEOUT_SEC: Final = 120

# --- which recorded sessions can become tasks --------------------------------------------------------
COLLECT_MESSAGES: Final = 3
"""Messages of the person: a first one and follow-ups."""
COLLECT_EDITS: Final = 1
COLLECT_AGENT_SHARE: Final = 0.5
"""Of a linked commit's lines, where a checkpoint tells it."""
COLLECT_PROBLEM_SHARE: Final = 0.05
"""Records that couldn't be read, as a share of the session's events."""

# --- files on the host ---------------------------------------------------------------------------
TASK_FILE_BYTES: Final = 2_000_000
"""No text file of a task directory may be larger."""
