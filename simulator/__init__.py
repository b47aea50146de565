"""The simulated user: anchors and an observation in, a decision out. Knows nothing of Harbor or containers.

A session makes one user with ``create_user`` and awaits ``decide`` after each completed agent turn; what the user may
ask of the state then, the caller offers as a ``World`` (in tests ``swe_together.simulator.fake.FakeWorld``).
"""

from swe_together.simulator._asks import asks
from swe_together.simulator._globs import Glob, compile_glob
from swe_together.simulator._human import HUMAN_FOLDER, PLAYED_BY, HumanUser, read_answers, usable
from swe_together.simulator._machine import SessionMachine
from swe_together.simulator._policies import MODEL_POLICIES, POLICIES, UserSetup, create_user
from swe_together.simulator._predicates import AnchorStates, Evaluation, FactField, evaluate, references
from swe_together.simulator._replay import ReplayUser, find_recording, read_decisions
from swe_together.simulator._scripted import ScriptedUser, SilentUser
from swe_together.simulator._state import AnchorStatus, Option, Sent
from swe_together.simulator._turn import TurnView
from swe_together.simulator._user import User, policy_faults
from swe_together.simulator._validate import Problem, validate_script
from swe_together.simulator._world import DiffText, ProbeOutcome, World

__all__ = [
    "HUMAN_FOLDER",
    "MODEL_POLICIES",
    "PLAYED_BY",
    "POLICIES",
    "AnchorStates",
    "AnchorStatus",
    "DiffText",
    "Evaluation",
    "FactField",
    "Glob",
    "HumanUser",
    "Option",
    "ProbeOutcome",
    "Problem",
    "ReplayUser",
    "ScriptedUser",
    "Sent",
    "SessionMachine",
    "SilentUser",
    "TurnView",
    "User",
    "UserSetup",
    "World",
    "asks",
    "compile_glob",
    "create_user",
    "evaluate",
    "find_recording",
    "policy_faults",
    "read_answers",
    "read_decisions",
    "references",
    "usable",
    "validate_script",
]
