"""What is found about a trial as a whole: delivery, the agent's own words, families of models, what can't be read."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from swe_together.simulator.audit import fabricated_user, family
from swe_together.simulator.model import AnchoredUser
from swe_together.simulator.model.fake import ListedModel, chosen
from tests.simulator.audit.sessions import audited, changed, findings, records, scripted, session_of, task_of, trial_of
from tests.simulator.cases import idle, script
from tests.simulator.model.users import BACKGROUND

SCRIPT = script({"id": "a", "message": "why do we need a cache here"}, {"id": "b", "message": "split at semicolons"})
TASK = task_of(SCRIPT)
TRUE = scripted(SCRIPT)
REPLIES = yaml.safe_load((Path(__file__).parent / "data" / "fabricated_user.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", REPLIES["caught"])
def test_users_that_agents_made_up(entry: dict[str, Any]) -> None:
    assert fabricated_user(entry["reply"], entry.get("said", [])) is not None


@pytest.mark.parametrize("entry", REPLIES["passes"])
def test_replies_that_only_speak_of_users(entry: dict[str, Any]) -> None:
    assert fabricated_user(entry["reply"], entry.get("said", [])) is None


def test_the_sets_are_large_enough() -> None:
    assert min(len(REPLIES["caught"]), len(REPLIES["passes"])) >= 10


def test_a_made_up_user_is_the_agents_doing() -> None:
    said = {1: "Done.", 2: "Ready.\n\nHuman: ok, go ahead and remove it\n\nAssistant: Removed."}
    (found,) = findings(trial_of(TRUE, TASK, said_by_agent=said))
    assert (found.kind, found.turn, found.severity, found.about) == ("fabricated_user", 2, "minor", "agent")
    assert found.quote == "Human: ok, go ahead and remove it"


def test_quoting_what_the_user_has_said_is_no_making_up() -> None:
    quoting = "You asked:\nUser: split at semicolons too, please\nThat works now."
    spoken = changed(TRUE, 2, message="split at semicolons too, please")
    assert findings(trial_of(spoken, TASK, said_by_agent={3: quoting})) == []
    (found,) = findings(trial_of(spoken, TASK, said_by_agent={1: quoting}))
    assert (found.kind, found.turn) == ("fabricated_user", 1), "it had not been said by then"


def test_the_recorded_reply_counts_where_there_is_no_trajectory() -> None:
    made = scripted(SCRIPT, turns=1, reply="Done.\nUser: now also sort the rows by name\nAssistant: Sorted.")
    assert [one.kind for one in findings(trial_of(made, TASK))] == ["fabricated_user"]


def test_words_that_the_agent_was_not_sent() -> None:
    session = session_of(TRUE)
    turns = [
        turn.model_copy(update={"message": "something else"}) if turn.turn == 2 else turn for turn in session.turns
    ]
    (found,) = findings(trial_of(TRUE, TASK, session=session.model_copy(update={"turns": turns})))
    assert (found.kind, found.turn, found.severity, found.about) == ("delivery", 1, "severe", "run")
    assert "'something else'" in found.detail


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("anthropic/claude-opus-4-8", "bedrock/us.anthropic.claude-sonnet-4-5-v1:0", True),
        ("openai/gpt-5.2", "azure/o3-mini", True),
        ("openrouter/google/gemini-2.5-pro", "vertex_ai/gemini-3-flash", True),
        ("ollama/qwen2.5-coder:7b", "openai/Qwen3-Coder", True),
        ("groq/llama-3.3-70b", "meta/Llama-4-Scout", True),
        ("openai/in-house", "hosted_vllm/in-house", True),
        ("openai/gpt-5.2", "anthropic/claude-opus-4-8", False),
        ("openai/claude-on-a-proxy", "openai/gpt-5", False),
        ("deepseek/deepseek-chat", "mistral/codestral-latest", False),
        ("openai/one", "openai/other", False),
    ],
)
def test_families(one: str, other: str, same: bool) -> None:
    assert (family(one) == family(other)) is same


def test_no_model_has_no_family() -> None:
    assert family(None) is None
    assert family(" ") is None
    made = records(AnchoredUser(SCRIPT, BACKGROUND, ListedModel([chosen("a"), chosen("b")], "")), idle(3))
    assert findings(trial_of(made, TASK)) == [], "two that nobody knows are not alike"


@pytest.mark.parametrize(
    ("agent", "found"), [("openai/o3", ["same_family"]), ("anthropic/claude-opus-4-8", []), (None, [])]
)
def test_user_and_agent_of_one_family_are_flagged(agent: str | None, found: list[str]) -> None:
    model = ListedModel([chosen("a"), chosen("b")], "openai/gpt-5.2")
    made = records(AnchoredUser(SCRIPT, BACKGROUND, model), idle(3))
    audit = audited(trial_of(made, TASK, session=session_of(made, model=agent)))
    assert audit.user_models == ["openai/gpt-5.2"]
    assert [one.kind for one in audit.findings] == found
    assert all((one.severity, one.turn, one.about) == ("minor", None, "run") for one in audit.findings)


def test_trials_without_a_simulated_user() -> None:
    for values, why in (
        ({"arm": "first-message"}, "the arm first-message has none"),
        ({"policy": "human"}, "a person played the user"),
    ):
        audit = audited(trial_of(TRUE, TASK, session=session_of(TRUE, **values)))
        assert (audit.state, audit.why, audit.messages) == ("no_user", why, [])
    silent = trial_of([], TASK)
    audit = audited(trial_of([], TASK, session=silent.session))
    assert audit.state == "read"


def test_broken_records_are_no_empty_ones() -> None:
    broken = audited(trial_of([], TASK, unread="decisions.jsonl: line 1 is not a decision"))
    assert (broken.state, broken.why) == ("unreadable", "decisions.jsonl: line 1 is not a decision")
    assert audited(replace(trial_of(TRUE, TASK), session=None)).state == "unreadable"
    assert audited(replace(trial_of([], TASK), session=None)).state == "no_user"


def test_another_version_of_the_task_is_told() -> None:
    assert audited(trial_of(TRUE, TASK)).task_at_hand == "same"
    other = session_of(TRUE, task_digest="e" * 64)
    assert audited(trial_of(TRUE, TASK, session=other)).task_at_hand == "differs"
