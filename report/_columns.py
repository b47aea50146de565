"""The columns of the table of trials: name, type, meaning. docs/report.md is generated from here."""

from dataclasses import dataclass
from typing import Final, Literal

Dtype = Literal["string", "Int64", "Float64", "boolean", "datetime64[us, UTC]"]
"""Nullable types of pandas: what isn't known is missing, never 0."""


@dataclass(frozen=True)
class Column:
    """One column. ``meaning`` gives unit and, where it isn't plain, when it is missing."""

    name: str
    dtype: Dtype
    meaning: str


def _columns(dtype: Dtype, **meanings: str) -> list[Column]:
    return [Column(name, dtype, meaning) for name, meaning in meanings.items()]


COLUMNS: Final = (
    *_columns(
        "string",
        path="folder of the trial; missing where none was begun",
        job="name of the job's folder",
        trial="name of the trial's folder",
        task="Harbor's name of the task",
        dataset="name of the dataset that the job took the task from",
        dataset_version="its version, where job or session say it",
        task_digest="SHA-256 over all files of the task as it was run",
        repository="code base that the task is about, for example pypi:icalendar",
        language="main language of the code base",
        category="bugfix, feature, refactor, performance or security",
        agent="Harbor's name of the agent",
        agent_version="its version",
        agent_settings="arguments that the agent was given, as JSON; empty if none",
        model="the agent's model, by the name that it was given",
        arm="interactive, full-spec or first-message; missing where no session was to be held",
        policy="what played the user: scripted, anchored, llm, human, replay, silent, or a class",
        user_model="model that played the user; missing where none did",
        simulator="version of the package that played the user",
        basis="which score is the reward: tests or judge",
        judge="tests (nobody judged the goals), checks (their commands did) or model",
        judge_model="model that judged; missing where none did",
        judge_settings="digest of the judge's settings, keys and addresses left out",
        rubric_digest="SHA-256 of the goals that were judged",
    ),
    *_columns("boolean", sealed="whether the agent's network was closed but for listed hosts"),
    *_columns("string", continuation="how later messages reached the agent: native, restated or fresh"),
    *_columns(
        "boolean",
        own_family_judge="whether judge and agent are models of one maker; missing where either isn't known",
    ),
    *_columns(
        "string",
        status="ok, or why the trial has no reward",
        cause="more words on that",
        problems="what could not be read in a trial that counts all the same",
        end="why the session ended",
    ),
    *_columns(
        "Int64",
        attempt="1 for the first trial of this agent at this task in its job, and so on",
        retries="how often Harbor had begun this trial before, and removed what it left; missing where nobody knows",
    ),
    *_columns(
        "Float64",
        reward="0 to 1; only where the trial counts",
        harbor_reward="what Harbor's own result says, whether or not the trial counts",
        tests="share of the asked cases that passed, 0 if a guarded one broke",
        judge_score="weight of the met goals, 0 if a gate failed",
        decided_share="weight of the goals that the judge decided",
    ),
    *_columns(
        "Int64",
        turns="turns of the agent",
        messages="messages of the user after the first",
        opportunities="turns after which the user could have said something",
        corrections="messages that correct the agent",
        nudges="messages that doubt its work",
    ),
    *_columns(
        "Float64",
        user_correction="corrections + 0.2 × nudges",
        coverage_recall="Intent Coverage: mean confidence that the session served an intent",
        coverage_precision="Intent Coverage: share of the messages that express an intent",
        coverage_overall="0.7 × recall + 0.3 × precision",
    ),
    *_columns(
        "Int64",
        input_tokens="of the agent, cached ones included",
        cached_tokens="of these, read from the provider's cache",
        output_tokens="of the agent, reasoning included",
        reasoning_tokens="of these, reasoning",
    ),
    *_columns(
        "Float64",
        cost_usd="of the agent",
        user_cost_usd="of the model that played the user; 0 where none did",
        judge_cost_usd="of judge and tagger; 0 where no model was asked",
        retries_usd="of all parts of the attempts that were removed; missing where one of them doesn't say",
        agent_seconds="wall time of the agent's turns",
        user_seconds="wall time of the user's decisions, looking included",
        other_seconds="the rest: building, setting up, grading, judging",
        wall_seconds="of the trial from begin to end",
    ),
    *_columns("datetime64[us, UTC]", started_at="when the trial began"),
)

STATUSES: Final = {
    "ok": "has a valid reward",
    "simulator_error": "the simulated user failed",
    "environment_error": "the container, or an instrument in it, failed",
    "judge_error": "the judge came to no score, where its score is the reward",
    "verifier_error": "the tests could not grade",
    "agent_invalid": "the agent could not be run, or what it left may not count by Harbor's rules",
    "not_interactive": "ran without the interactive layer: not a session",
    "ungraded": "its job graded nothing (`--disable-verification`); `harbor job regrade` grades it",
    "unfinished": "has no result: still running, or killed",
    "not_started": "was planned and never begun",
    "corrupt": "one of its records can't be read, or says what can't be",
    "duplicate": "stands there a second time, or beyond the number of attempts that was planned",
    "foreign": "a trial of a task that isn't ours",
}
"""What a trial can be. All but the last two count in the denominators of attrition."""

UNPLANNED: Final = ("duplicate", "foreign")
