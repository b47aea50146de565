"""The question to a judging model: its form, and its size whatever the session."""

import asyncio
from dataclasses import replace

from swe_together import defaults
from swe_together.simulator.audit import AuditedTask, audit_trial
from swe_together.simulator.audit._moments import moments
from swe_together.simulator.audit._tagging import SCHEMA, JudgedAnswer, audit_request
from swe_together.simulator.model import Background
from tests.simulator.audit.sessions import changed, scripted, task_of, trial_of
from tests.simulator.cases import script
from tests.simulator.model.test_prompt import largest_observation, text


def test_the_form_and_its_schema_agree() -> None:
    own = JudgedAnswer.model_json_schema()
    assert list(SCHEMA["properties"]) == list(own["properties"]) == ["reason", "faults"], "the reason comes first"
    assert set(SCHEMA["properties"]["faults"]["items"]["properties"]) == set(own["$defs"]["Fault"]["properties"])


def test_the_question_is_bounded_whatever_the_session() -> None:
    anchors = [{"id": f"a{n}", "message": text(4_000, n), "when": text(500, n), "required": True} for n in range(30)]
    large = script(*anchors)
    background = Background(text(50_000), text(50_000))
    task = AuditedTask(large, background, task_of(large).session, "")
    made = [
        record.model_copy(update={"observation": largest_observation(record.turn)})
        for record in changed(scripted(large, turns=8), 8, message=text(40_000))
    ]

    async def largest() -> int:
        sizes = []
        async for moment in moments(task, trial_of(made, task).decided):
            request = audit_request(moment, large, background)
            notes = ["x" * (defaults.NOTES_CHARS // defaults.MAX_ANSWERS)] * (defaults.MAX_ANSWERS - 1)
            sizes.append(replace(request, notes=notes).chars)
        return max(sizes)

    assert 40_000 < asyncio.run(largest()) <= defaults.PROMPT_CHARS


def test_a_message_is_not_asked_about_unless_a_model_is() -> None:
    short = script({"id": "a"})
    audit = asyncio.run(audit_trial(trial_of(scripted(short), task_of(short))))
    assert {message.judged for message in audit.messages} == {"not_asked"}
