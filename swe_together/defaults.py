"""The one home of default values. Seconds, bytes or characters unless a name says otherwise."""

from typing import Final

FORMAT_VERSION: Final = 1
"""Version of the task file format and of every record we write."""

HARBOR_SUPPORTED: Final = ("0.23", "0.27")
"""Harbor versions that the adapter is tested with: at least the first, below the second."""

PASS_THRESHOLD: Final = 0.85

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

# --- files on the host ---------------------------------------------------------------------------
TASK_FILE_BYTES: Final = 2_000_000
"""No text file of a task directory may be larger."""
