"""The task bar: each function judges one item, from facts alone."""

from typing import Any

from swe_together.defaults import PASS_THRESHOLD
from swe_together.pipeline.check.goals import judged_by_checks, leaving_at_once
from swe_together.pipeline.check.golden import FIRST_STAGE_LIMIT, FULL_SPEC, dialogue
from swe_together.pipeline.check.model import DialogueResult, ImageScan, StateResult, Verdict
from swe_together.pipeline.check.subject import REFERENCE_RUNS, Proof, Subject
from swe_together.schema import CaseKind

CASES_PER_TURN = 2
WRONG_SHARE = 0.5
WRONG_COUNT = 3
CHEAT_COUNT = 2
CHECKED_WEIGHT = 0.7
LINES_OFF = 0.01
"""So far may the stated lines be from those that are there."""

Results = dict[str, StateResult]


def goals_and_cases(subject: Subject) -> Verdict:
    """Every case belongs to exactly one goal; pass-to-pass cases to a gate; turns exist."""
    kinds = {case.id: case.kind for case in subject.declared}
    owners: dict[str, list[str]] = {case: [] for case in kinds}
    problems = []
    for goal in subject.goals:
        for case in goal.cases:
            if case not in kinds:
                problems.append(f"goal {goal.id} names the case {case}, which tests/cases.py doesn't declare")
                continue
            owners[case].append(goal.id)
            if kinds[case] is CaseKind.P2P and not goal.gate:
                problems.append(f"{case} is pass-to-pass but its goal {goal.id} is no gate")
    for case, goals in owners.items():
        if len(goals) != 1:
            problems.append(f"{case} belongs to {'no goal' if not goals else ' and '.join(goals)}, not to exactly one")
    problems += [
        f"{case.id} belongs to turn {case.turn}, which the session doesn't have"
        for case in subject.declared
        if case.turn not in subject.turns
    ]
    if not any(case.kind is CaseKind.P2P for case in subject.declared):
        problems.append("no case is pass-to-pass")
    return Verdict.of("goals and cases", problems, f"{len(kinds)} cases, each with one of {len(subject.goals)} goals")


def turns_have_cases(subject: Subject) -> Verdict:
    """The instruction and every follow-up that asks for work own two fail-to-pass cases."""
    owned = dict.fromkeys(sorted(subject.asks), 0)
    for case in subject.declared:
        if case.kind is CaseKind.F2P and case.turn in owned:
            owned[case.turn] += 1
    problems = [
        f"turn {turn} asks for work but owns {number} fail-to-pass cases, it needs {CASES_PER_TURN}"
        for turn, number in owned.items()
        if number < CASES_PER_TURN
    ]
    return Verdict.of("cases of each turn", problems, ", ".join(f"turn {t}: {n}" for t, n in owned.items()))


def proofs_are_there(subject: Subject) -> Verdict:
    """Enough wrong and cheat proofs; each wrong names a goal."""
    problems = []
    if len(subject.wrong) < WRONG_COUNT:
        problems.append(f"{len(subject.wrong)} wrong-* patches, {WRONG_COUNT} are needed")
    if len(subject.cheat) < CHEAT_COUNT:
        problems.append(f"{len(subject.cheat)} cheat-* files, {CHEAT_COUNT} are needed")
    goals = {goal.id: goal for goal in subject.goals}
    for proof in subject.wrong:
        if proof.path.suffix != ".patch":
            problems.append(f"{proof.path.name} must be a patch")
        elif not proof.goal:
            problems.append(f"{proof.path.name} must start with a line 'Goal: <goal id>'")
        elif proof.goal not in goals:
            problems.append(f"{proof.path.name} names the goal {proof.goal}, which rubric.json doesn't hold")
        elif not goals[proof.goal].cases:
            problems.append(f"{proof.path.name} names the goal {proof.goal}, which has no cases")
    if 0 in subject.asks and 0 not in subject.stages:
        problems.append("solution/turn-0.patch is missing")
    counts = f"{len(subject.wrong)} wrong, {len(subject.alt)} alternative, {len(subject.cheat)} cheats"
    return Verdict.of("proofs", problems, counts)


def checks_cover(subject: Subject) -> Verdict:
    """Goals with a command of their own hold most of the weight: so much is decided without a model."""
    covered = sum(goal.weight or 0 for goal in subject.goals if goal.check)
    good = f"goals with a check hold {covered:.2f} of the weight"
    problems = [] if covered >= CHECKED_WEIGHT - 1e-9 else [f"{good}, they must hold {CHECKED_WEIGHT}"]
    return Verdict.of("checks cover the rubric", problems, good)


def builds(scan: ImageScan, lines: int | None) -> Verdict:
    """The image builds, starts, can be looked at, and holds as many lines of code as the task says."""
    problems = [scan.error] if scan.error else []
    if lines is not None and not scan.error and abs(lines - scan.lines) > LINES_OFF * scan.lines:
        problems.append(f"task.toml: lines = {lines}, but the trees hold {scan.lines}")
    good = f"started after {scan.build_sec:.1f} s, {scan.megabytes:.0f} MB, {scan.lines} lines"
    return Verdict.of("builds", problems, good)


def image(scan: ImageScan) -> list[Verdict]:
    """No answer can be reached in the image, and its user is nobody special."""
    if scan.error:
        return []
    return [
        Verdict.of("one commit", scan.history, "the tree is one commit without remote, tag or other object"),
        Verdict.of("no caches", scan.caches, "no package cache"),
        Verdict.of("no newer release", scan.releases, "no newer release of the package"),
        Verdict.of("no answer in the image", scan.answers, "no lines of the solution"),
        Verdict.of("no private files", scan.private, "no private file, no tests"),
        Verdict.of("agent is nobody", scan.privileges, "the agent's user can't become root nor change the system"),
    ]


def _complete(subject: Subject, state: StateResult | None, name: str) -> list[str]:
    """What keeps a state from being judged at all."""
    if state is None:
        return [f"{name} was not run"]
    if not state.applied:
        return [state.error or f"{name} could not be applied"]
    if state.reward is None:
        return [f"no reward: {state.error}"]
    if state.error:
        return [state.error]
    declared, found = {case.id for case in subject.declared}, {case.id for case in state.cases}
    if declared != found:
        return [f"the tests reported other cases than they declare: {', '.join(sorted(declared ^ found))}"]
    return []


def nothing_done(subject: Subject, results: Results) -> Verdict:
    """Nothing done: every fail-to-pass case fails, every pass-to-pass case holds, reward 0."""
    state = results.get("nothing")
    problems = _complete(subject, state, "nothing")
    if state is not None and not problems:
        early = [c.id for c in state.cases if c.kind is CaseKind.F2P and c.passed]
        broken = [f"{c.id} ({_first(c.message)})" for c in state.cases if c.kind is CaseKind.P2P and not c.passed]
        problems += [f"fail-to-pass cases pass already: {', '.join(early)}"] if early else []
        problems += [f"pass-to-pass cases fail: {', '.join(broken)}"] if broken else []
        problems += [f"the reward is {state.reward:g}"] if state.reward else []
    return Verdict.of("nothing done is 0", problems, "every asked case fails, every old one holds")


def reference(subject: Subject, results: Results) -> Verdict:
    """The reference earns everything, each time."""
    problems = []
    for number in range(1, REFERENCE_RUNS + 1):
        state = results.get(f"reference-{number}")
        found = _complete(subject, state, f"reference-{number}")
        if state is not None and not found:
            failed = [f"{c.id} ({_first(c.message)})" for c in state.cases if not c.passed]
            found = [f"{state.reward:g}, fails {', '.join(failed)}"] if failed or state.reward != 1 else []
        problems += [f"run {number}: {problem}" for problem in found]
    return Verdict.of("reference is 1.0", problems, f"{REFERENCE_RUNS} times in a row")


def stages(subject: Subject, results: Results) -> Verdict:
    """Stage N earns its own turns, and fails a case of every later turn that has cases."""
    problems = []
    asked = [case for case in subject.declared if case.kind is CaseKind.F2P]
    last = max(subject.stages, default=0)
    for turn in sorted(subject.stages):
        state = results.get(f"stage-{turn}")
        found = _complete(subject, state, f"stage-{turn}")
        if state is not None and not found:
            for later in sorted({case.turn for case in asked if case.turn > turn}):
                if not any(case.id in state.failed for case in asked if case.turn == later):
                    found.append(f"passes every case of turn {later} already")
            if turn == last and state.reward != 1:
                found.append(f"is the last one but earns {state.reward:g}; it must equal solve.sh")
        problems += [f"stage {turn} {problem}" for problem in found]
    return Verdict.of("stage × case", problems, f"each of {len(subject.stages)} stages leaves later turns undone")


def first_message(subject: Subject, results: Results) -> Verdict:
    """The first message alone must not earn most of the reward."""
    if not {0} & (subject.asks | subject.stages.keys()):
        return Verdict.of("first message ≤ 0.6", [], "it asks for nothing, as arms in task.toml says")
    state = results.get("stage-0")
    if state is None or state.reward is None:
        return Verdict.of("first message ≤ 0.6", ["stage 0 has no reward"], "")
    good = f"the reference's answer to the first message earns {state.reward:.2f}"
    problems = [good] if state.reward > FIRST_STAGE_LIMIT + 1e-9 or state.share() > FIRST_STAGE_LIMIT + 1e-9 else []
    return Verdict.of("first message ≤ 0.6", problems, good)


def wrong(subject: Subject, proof: Proof, results: Results) -> Verdict:
    """A wrong patch passes half of the asked weight and fails exactly the cases of the goal it names."""
    state = results.get(proof.name)
    problems = _complete(subject, state, proof.name)
    good = ""
    if state is not None and not problems:
        own = next((set(goal.cases) for goal in subject.goals if goal.id == proof.goal), set[str]())
        if missed := sorted(own - state.failed):
            problems.append(
                f"passes cases of its goal {proof.goal}: {', '.join(missed)}; let it fail them too, or give them to"
                " another goal"
            )
        for case in state.cases:
            if not case.passed and case.id not in own:
                goal = subject.goal_of(case.id) or "?"
                problems.append(f"fails {case.id} of goal {goal}, not of {proof.goal} ({_first(case.message)})")
        if state.share() < WRONG_SHARE - 1e-9:
            problems.append(f"passes only {state.share():.2f} of the fail-to-pass weight")
        good = f"passes {state.share():.2f}, fails exactly the cases of {proof.goal}"
    return Verdict.of(proof.name, problems, good)


def alternative(subject: Subject, proof: Proof, results: Results) -> Verdict:
    """Another right solution earns everything."""
    state = results.get(proof.name)
    problems = _complete(subject, state, proof.name)
    if state is not None and not problems and (state.failed or state.reward != 1):
        failed = [f"{c.id} ({_first(c.message)})" for c in state.cases if not c.passed]
        problems.append(f"earns {state.reward:g}, fails {', '.join(failed)}")
    return Verdict.of(proof.name, problems, "earns 1.0")


def cheat(subject: Subject, proof: Proof, results: Results) -> Verdict:
    """An attempt to earn without working stays below the threshold, and doesn't escape being judged."""
    state = results.get(proof.name)
    problems = _complete(subject, state, proof.name)
    good = ""
    if state is not None and not problems and state.reward is not None:
        good = f"earns {state.reward:.2f}"
        if state.reward >= PASS_THRESHOLD:
            problems.append(f"earns {state.reward:g}, it must stay below {PASS_THRESHOLD}")
    return Verdict.of(proof.name, problems, good)


def full_spec(result: DialogueResult) -> Verdict:
    """The whole contract said at once asks for everything: the reference's answer to it alone earns 1.0."""
    item = "full spec is 1.0"
    if result.dialogue is None:
        return Verdict.of(item, [result.error or "was not played"], "")
    problems = []
    if [turn.get("kind") for turn in result.dialogue.turns] != [None]:
        problems.append(f"its session has {len(result.dialogue.turns)} turns instead of one")
    if result.dialogue.reward != 1:
        earned = "no reward" if result.dialogue.reward is None else f"{result.dialogue.reward:g}"
        problems.append(f"every stage after one message earns {earned}")
    return Verdict.of(item, problems, "spec.md in one message, every stage in one turn")


def _first(text: str, limit: int = 160) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit]}…"


def judge(
    subject: Subject,
    scan: ImageScan | None,
    results: Results,
    dialogues: list[DialogueResult],
    golden: dict[str, Any],
) -> list[Verdict]:
    """Every item that needs containers, in the order of the table."""
    verdicts = [builds(scan, subject.lines), *image(scan)] if scan else []
    if scan is None or scan.error:
        return verdicts
    verdicts += [nothing_done(subject, results), reference(subject, results)]
    verdicts += [stages(subject, results), first_message(subject, results)]
    verdicts += [wrong(subject, proof, results) for proof in subject.wrong]
    verdicts += [alternative(subject, proof, results) for proof in subject.alt]
    verdicts += [cheat(subject, proof, results) for proof in subject.cheat]
    verdicts += [judged_by_checks(subject, results), leaving_at_once(subject, results)]
    verdicts += [dialogue(result, golden) for result in dialogues if result.play != FULL_SPEC]
    return verdicts + [full_spec(result) for result in dialogues if result.play == FULL_SPEC]
