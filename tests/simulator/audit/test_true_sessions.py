"""Sessions that were played by the rules have no finding: every policy, random scripts, and recorded sessions."""

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from swe_together.schema import AuditKind
from swe_together.simulator import ScriptedUser, User, read_decisions
from swe_together.simulator.audit import AuditedTask
from swe_together.simulator.model import AnchoredUser
from swe_together.simulator.model.fake import RandomChooser
from swe_together.tasks import load_task
from tests.simulator.audit.sessions import audited, records, session_of, task_of, trial_of
from tests.simulator.maker import IDS, Maker
from tests.simulator.model.recordings import FOLDER
from tests.simulator.model.users import BACKGROUND
from tests.support.harbor import ROOT

OF_THE_RULES = {AuditKind.ORDER, AuditKind.INVENTED_OBSERVATION, AuditKind.ADAPTATION, AuditKind.PREMATURE_END}
RECORDINGS = sorted(FOLDER.glob("*.jsonl"))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(size=st.integers(1, len(IDS)), seed=st.integers(0, 2**32), model=st.booleans())
def test_random_scripts_break_no_rule(size: int, seed: int, model: bool) -> None:
    script, turns = Maker(size, seed).session()
    note(script.model_dump_json(exclude_defaults=True, by_alias=True))
    user: User = AnchoredUser(script, BACKGROUND, RandomChooser(seed, wild=0.5)) if model else ScriptedUser(script)
    made = records(user, [turn.step() for turn in turns])
    audit = audited(trial_of(made, task_of(script)))
    assert audit.unchecked == {}, "the records hold every value that is needed"
    found = [one for one in audit.findings if one.kind in OF_THE_RULES and one.severity == "severe"]
    assert found == []


def test_recordings_are_there() -> None:
    assert len(RECORDINGS) >= 6


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_recorded_sessions_of_the_tasks(path: object) -> None:
    """Real observations of containers; the user's words are those of a chooser that says the first thing it may."""
    file = FOLDER / f"{getattr(path, 'stem', '')}.jsonl"
    task = load_task(ROOT / "tasks" / file.name.split(".")[0])
    made = read_decisions(file)
    session = session_of(made, instruction=task.instruction, task=task.name, task_digest=task.digest)
    audit = audited(trial_of(made, AuditedTask.of(task), session=session))
    assert audit.task_at_hand == "same"
    assert audit.unchecked == {}
    assert [one for one in audit.findings if one.severity == "severe"] == []
