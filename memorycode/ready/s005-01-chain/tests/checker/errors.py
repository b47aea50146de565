"""Errors that a user or contributor can meet, each with the remedy in it.

Exit codes of the command line: 0 good, 1 found wrong, 2 misuse, 130 interrupted.
"""

from pathlib import Path


class TogetherError(Exception):
    """Something was found wrong. Printed as one sentence, without a traceback.

    Args:
        message: What is wrong, naming the thing and the value.
        remedy: What to do about it, as an imperative; empty only where nothing can be done.
    """

    exit_code = 1

    def __init__(self, message: str, remedy: str = "") -> None:
        self.message = message
        self.remedy = remedy
        super().__init__(f"{message} {remedy}".strip())


class MisuseError(TogetherError):
    """The call itself is wrong: a path that isn't there, options that exclude each other."""

    exit_code = 2


class TaskError(TogetherError):
    """A task directory breaks its contract.

    Args:
        path: The file (or task directory) at fault.
        field: Dotted path of the field inside the file, or empty for the file as a whole.
        value: The offending value; shortened in the message.
        problem: What is wrong with it.
        remedy: What to write instead.
    """

    def __init__(self, path: Path | str, field: str, value: object, problem: str, remedy: str) -> None:
        self.path = str(path)
        self.field = field
        self.value = value
        self.problem = problem
        where = f"{path}: {field}: " if field else f"{path}: "
        shown = "" if value is None else f" (found {_shorten(value)})"
        super().__init__(f"{where}{problem}{shown}.", remedy)


class SessionFault(TogetherError):
    """A fault of the benchmark's own parts during a trial: never a result of the agent."""


class SimulatorError(SessionFault):
    """The simulated user could not decide. Ends the session; the trial has no reward."""


class JudgeError(SessionFault):
    """The judge came to no judgement. The trial has no judge score: never a verdict, never zero."""


class TaggerError(SessionFault):
    """A user's messages could not be tagged, or not be matched with intents. The metric is missing, never guessed."""


class DraftError(TogetherError):
    """A rubric could not be drafted, attacked or tried: nothing was written."""


class AuditError(TogetherError):
    """A model was to judge a message of the user and gave no judgement: not audited, which is never "no fault"."""


class SessionFileError(TogetherError):
    """A file holds no recorded session that can be read: of no known format, or damaged as a whole."""


class EnvironmentFault(SessionFault):
    """The container, or an instrument inside it, failed. Ends the session; the trial has no reward."""


def _shorten(value: object, limit: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}…"
