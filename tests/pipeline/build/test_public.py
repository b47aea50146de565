"""What stands in the public tree that a session began on stays; where anything about it is in doubt it goes."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from swe_together.pipeline.base import Repository
from swe_together.pipeline.build import Plan, make_plan
from swe_together.pipeline.build import _public as public
from tests.pipeline.recorded import BEFORE, LICENCE, Recording, at, cleared, commit, git, wordbox

SAMPLE = "whsec_" + "Mk7QpZx2Vt9LwR4nJc8HyB3sDf6GaE5u"
OTHER = "whsec_" + "Tq5WnXy8Kb2RzLm9Vc4HpJ7sFd3GaU6e"
MAIL, AUTHOR, NAMED = "parcel77@quorvex.io", "tibor@kazemune.org", "orban@quorvex.io"
OWN = "nalita@quorvex.io"
FIXTURE = f'SECRET = "{SAMPLE}"\nTO = "{MAIL}, {OWN}"  # or nalita\n'
OPEN: Mapping[str, str | None] = {
    "fixture.py": FIXTURE, "AUTHORS": f"Mira Orban <{NAMED}>\n", "by.txt": f"by {AUTHOR}\n", "LICENSE": LICENCE,
}  # fmt: skip


def session() -> Recording:
    """One who repeats what the fixture holds, and other things like it."""
    said = f"sign it with {SAMPLE}, not {OTHER}; from {MAIL} to {AUTHOR} and {NAMED}, {OWN}, see /home/nalita/x"
    new = f'{BEFORE}KEYS = ["{SAMPLE}", "{OTHER}", "{MAIL}", "{AUTHOR}"]\n'
    return Recording().says("go").writes("wordbox.py", new, before=BEFORE).says(said).replies("ok")


def planned(tmp_path: Path, files: Mapping[str, str | None] = OPEN, *, url: str = "https://github.com/quorvex/wordbox",
            pushed: bool = True, recording: Recording | None = None) -> Plan:  # fmt: skip
    folder, _ = wordbox(tmp_path / "wordbox")
    commit(folder, files, at(-30), f"More\n\nCo-authored-by: Tibor Kazemune <{AUTHOR}>")
    git(folder, "remote", "add", "origin", url)
    if pushed:
        git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    with Repository(folder) as repository:
        return make_plan(cleared(recording or session()), repository, name="words")


def told(plan: Plan) -> str:
    assert plan.reference is not None
    return plan.turns[1].text + b"".join(plan.reference.stages.values()).decode()


def test_what_the_public_base_holds_stays_in_words_and_code_and_the_rest_goes(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    text = told(plan)
    assert not plan.cleared.holds_secret(SAMPLE.encode()) and plan.cleared.holds_secret(OTHER.encode())
    assert text.count(SAMPLE) == 2 and text.count(MAIL) == 2
    assert OTHER not in text and AUTHOR not in text and NAMED not in text and "nalita" not in text


@pytest.mark.parametrize(
    ("files", "more"),
    [
        ({**OPEN, "LICENSE": None}, {}),
        ({**OPEN, "LICENSE": "All rights reserved."}, {}),
        (OPEN, {"pushed": False}),
        (OPEN, {"url": "/srv/git/wordbox.git"}),
        (OPEN, {"recording": Recording().says("go").replies("ok").says(f"{SAMPLE} {MAIL}").replies("ok")}),
    ],
    ids=["no licence", "closed", "not pushed", "no public address", "unproven"],
)
def test_nothing_stays_where_the_tree_is_in_doubt(
    tmp_path: Path, files: Mapping[str, str | None], more: Mapping[str, object]
) -> None:
    plan = planned(tmp_path, files, **more)  # type: ignore[arg-type]
    assert plan.base is not None and SAMPLE not in told(plan) and MAIL not in told(plan)


def test_a_secret_under_a_key_and_one_that_only_the_code_gives_away_stay_too(tmp_path: Path) -> None:
    value = "Zk29xQ77LmPw31Vb"
    files = {**OPEN, "settings.py": f"DB_PASSWORD = '{value}'\n"}
    new = f"{BEFORE}DB_PASSWORD = '{value}'\n"
    recording = Recording().says("go").writes("wordbox.py", new, before=BEFORE).says(f"it is {value}").replies("ok")
    assert told(planned(tmp_path, files, recording=recording)).count(value) == 2


def test_many_files_are_read_in_several_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "_AT_ONCE", 2)
    assert SAMPLE in told(planned(tmp_path))
