"""Making a study: pairs of sessions, shuffled and blinded, and what else is to be labelled."""

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from swe_together.errors import MisuseError
from swe_together.files import write_atomically
from swe_together.report.study._format import (
    ITEMS,
    KEY,
    STUDY,
    GoalsItem,
    GoalsKey,
    Key,
    MessagesItem,
    MessagesKey,
    PairItem,
    PairKey,
    ShownGoal,
    Side,
    Study,
)
from swe_together.report.study._sources import Source, diffs, judged_goals, read_sources, recorded_tags, shown
from swe_together.schema import Tag

MARGIN = 0.1
SIMULATED = ("scripted", "anchored", "llm")
Label = str
LABELS = ("messages", "goals")


@dataclass
class Prepared:
    """What was made, and what was not.

    Attributes:
        counts: Items by kind.
        left_out: Sessions and tasks without a place in the study, each with the reason.
        warnings: What an annotator could tell the sides by, or what weakens the study.
    """

    counts: dict[str, int] = field(default_factory=lambda: {"pair": 0, "messages": 0, "goals": 0})
    left_out: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass
class _Draft:
    """Items and their secrets, in an order that tells nothing."""

    rng: random.Random
    items: dict[str, PairItem | MessagesItem | GoalsItem] = field(default_factory=dict)
    keys: dict[str, PairKey | MessagesKey | GoalsKey] = field(default_factory=dict)

    def add(self, item: PairItem | MessagesItem | GoalsItem, key: PairKey | MessagesKey | GoalsKey) -> None:
        identity = f"{self.rng.getrandbits(40):010x}"
        while identity in self.items:
            identity = f"{self.rng.getrandbits(40):010x}"
        self.items[identity], self.keys[identity] = item, key


def prepare(
    real: Sequence[str], simulated: Sequence[str], output: Path, *, seed: int, margin: float = MARGIN,
    labels: Sequence[Label] = (), goals: Mapping[str, Mapping[str, str]] | None = None,
) -> Prepared:  # fmt: skip
    """Write a study's folder.

    Every simulated session is paired with a real one of its task; where there are several, they take turns. Half of
    the pairs have the real user on the left.

    Args:
        real: Sessions with a real user: job or trial folders, or ``TASK=FILE``.
        simulated: The others. They are the ones whose messages and goals are labelled.
        output: A new or empty folder.
        seed: Decides sides, ids and orders, each annotator's too. Annotators don't get to see it.
        margin: How far from one half the pass rate may lie and still count as equivalent.
        labels: What to label beside the pairs: ``messages``, ``goals``.
        goals: Texts of goals by task and id, needed to label goals.

    Raises:
        MisuseError: Nothing can be paired, a real session has a simulated user, or the folder holds something.
    """
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise MisuseError(
            f"{output} is not empty.", "Name a new folder: a study that people answer is never rewritten."
        )
    if not 0 < margin < 0.5:
        raise MisuseError(f"--margin {margin:g} is no margin around one half.", "Give a number between 0 and 0.5.")
    prepared = Prepared()
    draft = _Draft(random.Random(seed))
    machines = read_sources(simulated, prepared.left_out)
    people = _people(read_sources(real, prepared.left_out), prepared)
    for source in machines:
        if source.policy == "human":
            raise MisuseError(f"{source.path}: a person played this user.", "Give it with --real.")
    _add_pairs(draft, people, machines, prepared)
    for source in machines if "messages" in labels else []:
        _add_messages(draft, source)
    for source in machines if "goals" in labels else []:
        _add_goals(draft, source, (goals or {}).get(source.task, {}), prepared)
    if not draft.items:
        raise MisuseError(
            "There is nothing to ask: no simulated session has a real one of the same task, and nothing is labelled.",
            "Give sessions of the same tasks with --real and --simulated, or --label.",
        )
    _write(output, draft, seed, margin, prepared)
    return prepared


def _people(sources: Sequence[Source], prepared: Prepared) -> list[Source]:
    kept = []
    for source in sources:
        if source.policy in SIMULATED:
            raise MisuseError(
                f"{source.path}: its user was simulated (policy {source.policy}).", "Give it with --simulated."
            )
        if source.followups:
            kept.append(source)
        else:
            prepared.left_out.append(f"{source.path}: the real user says nothing after the first message")
    return kept


def _add_pairs(draft: _Draft, people: Sequence[Source], machines: Sequence[Source], prepared: Prepared) -> None:
    by_task: dict[str, list[Source]] = defaultdict(list)
    for person in people:
        by_task[person.task].append(person)
    pairs: list[tuple[Source, Source]] = []
    counts: dict[str, int] = defaultdict(int)
    for machine in machines:
        partners = by_task.get(machine.task)
        if people and not partners:
            prepared.left_out.append(f"{machine.path}: no real session of {machine.task}")
        elif partners:
            pairs.append((partners[counts[machine.task] % len(partners)], machine))
            counts[machine.task] += 1
    idle = sorted(task for task in by_task if task not in counts)
    prepared.left_out += [f"{task}: a real session, and no simulated one" for task in idle]
    draft.rng.shuffle(pairs)
    for number, (person, machine) in enumerate(pairs):
        # In turn, so that neither side is right more often; the pairs are in no order.
        side: Side = "left" if number % 2 else "right"
        left, right = (person, machine) if side == "left" else (machine, person)
        known = bool(person.agent and machine.agent)
        draft.add(
            PairItem(left=shown(left), right=shown(right)),
            PairKey(
                task=machine.task,
                real=side,
                real_session=str(person.path),
                simulated_session=str(machine.path),
                simulator=machine.simulator or "unknown",
                same_agent=person.agent == machine.agent if known else None,
            ),
        )
    _warn(pairs, prepared)


def _warn(pairs: Sequence[tuple[Source, Source]], prepared: Prepared) -> None:
    other = sum(person.agent != machine.agent for person, machine in pairs if person.agent and machine.agent)
    unknown = sum(not (person.agent and machine.agent) for person, machine in pairs)
    if other:
        prepared.warnings.append(f"in {other} of {len(pairs)} pairs the agents differ: a side can be told by its agent")
    if unknown:
        prepared.warnings.append(f"in {unknown} of {len(pairs)} pairs the agent of a side isn't recorded")
    first = sum(_instruction(person) != _instruction(machine) for person, machine in pairs)
    if first:
        prepared.warnings.append(f"in {first} of {len(pairs)} pairs the first messages differ")


def _instruction(source: Source) -> str:
    return next((turn.message.strip() for turn in source.conversation.turns if turn.number), "")


def _add_messages(draft: _Draft, source: Source) -> None:
    if source.followups:
        recorded = recorded_tags(source)
        draft.add(
            MessagesItem(session=shown(source), tags=list(Tag)),
            MessagesKey(
                task=source.task,
                session=str(source.path),
                recorded={turn: recorded.get(turn) for turn in source.followups},
            ),
        )


def _add_goals(draft: _Draft, source: Source, texts: Mapping[str, str], prepared: Prepared) -> None:
    if not texts:
        prepared.left_out.append(f"{source.path}: the goals of {source.task} aren't at hand")
        return
    listed = [ShownGoal(id=name, text=text) for name, text in texts.items()]
    draft.rng.shuffle(listed)
    judged = judged_goals(source)
    draft.add(
        GoalsItem(session=shown(source), diff=diffs(source), goals=listed),
        GoalsKey(task=source.task, session=str(source.path), judged={name: judged.get(name) for name in texts}),
    )


def _write(output: Path, draft: _Draft, seed: int, margin: float, prepared: Prepared) -> None:
    order = list(draft.items)
    draft.rng.shuffle(order)
    for identity in order:
        item = draft.items[identity]
        prepared.counts[item.kind] += 1
        write_atomically(output / ITEMS / f"{identity}.json", item.model_dump_json() + "\n")
    key = Key(items={identity: draft.keys[identity] for identity in order})
    text = json.dumps(key.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"
    write_atomically(output / KEY, text)
    (output / KEY).chmod(0o600)
    study = Study(
        seed=seed,
        margin=margin,
        items={identity: draft.items[identity].kind for identity in order},
        key_sha256=hashlib.sha256(text.encode()).hexdigest(),
    )
    # Last: a folder without it is no study.
    write_atomically(output / STUDY, study.model_dump_json(indent=1) + "\n")
