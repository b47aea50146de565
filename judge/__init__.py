"""Judging what a session has led to: commands and a model on frozen rubrics, tags of messages, intent coverage.

Imports neither Harbor nor the simulator. ``docs/judge.md`` explains prompts, settings and numbers.
"""

from swe_together.judge._checks import check_key, run_checks
from swe_together.judge._conversation import ChatModel, Conversation, ProviderChat, Step, Tool
from swe_together.judge._coverage import intent_coverage
from swe_together.judge._dossier import Dossier, digest
from swe_together.judge._judge import Judge, judge_model, tagger_model, vote_key
from swe_together.judge._prompt import PROMPT_VERSION
from swe_together.judge._question import FailedQuestion
from swe_together.judge._score import Score, passes, score, threshold_curve
from swe_together.judge._settings import JUDGE, TAGGER, Checks, JudgeModel, JudgeSettings, ModelChoice, TaggerModel
from swe_together.judge._store import JudgementStore
from swe_together.judge._tags import tag_messages
from swe_together.judge._votes import flip_rate, majority
from swe_together.judge._workspace import Excerpt, Hit, Hits, Ran, Unreadable, Workspace

__all__ = [
    "JUDGE",
    "PROMPT_VERSION",
    "TAGGER",
    "ChatModel",
    "Checks",
    "Conversation",
    "Dossier",
    "Excerpt",
    "FailedQuestion",
    "Hit",
    "Hits",
    "Judge",
    "JudgeModel",
    "JudgeSettings",
    "JudgementStore",
    "ModelChoice",
    "ProviderChat",
    "Ran",
    "Score",
    "Step",
    "TaggerModel",
    "Tool",
    "Unreadable",
    "Workspace",
    "check_key",
    "digest",
    "flip_rate",
    "intent_coverage",
    "judge_model",
    "majority",
    "passes",
    "run_checks",
    "score",
    "tag_messages",
    "tagger_model",
    "threshold_curve",
    "vote_key",
]
