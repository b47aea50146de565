"""The recorded sessions fit the tasks as they are now, and hold enough moments for each policy.

Where a task has changed, ``python -m tests.simulator.model.recordings TASK`` records its sessions anew.
"""

from collections import Counter

from swe_together.defaults import PROMPT_CHARS
from swe_together.simulator.model import AnchoredUser
from swe_together.simulator.model.fake import RandomChooser
from tests.bench.small_model import WANTED_DECISIONS
from tests.simulator.model.recordings import FOLDER, PLAYS, POLICIES, moments

MOMENTS = list(moments())


def test_there_are_enough_moments_of_whole_sets_of_plays() -> None:
    recorded = {file.stem for file in FOLDER.iterdir()}
    assert recorded == {f"{name.split('.')[0]}.{play}" for name in recorded for play in PLAYS}
    asked = Counter(policy for moment in MOMENTS for policy in POLICIES if moment.asks(policy))
    assert all(asked[policy] >= WANTED_DECISIONS for policy in POLICIES), asked


async def test_every_moment_can_be_decided_again() -> None:
    for moment in MOMENTS:
        for policy in POLICIES:
            user = moment.user(policy, RandomChooser(1))
            request = user.request(user.resume(moment.earlier, moment.record), moment.record.observation, yielded=True)
            assert 1_000 < request.chars <= PROMPT_CHARS
        if moment.asks("anchored"):
            again = moment.user("anchored", RandomChooser(moment.record.turn))
            assert isinstance(again, AnchoredUser)
            decision = await again.decide_again(moment.earlier, moment.record)
            assert decision.message is not None or decision.end is not None
