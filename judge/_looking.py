"""What a call of a tool gives back: bounded, fenced, and remembered as seen."""

from collections.abc import Sequence

from swe_together import defaults
from swe_together.judge._seen import Seen
from swe_together.judge._tools import Look, ReadCall, RunCall, SearchCall
from swe_together.judge._workspace import Unreadable, Workspace
from swe_together.providers import clean, cut, fenced


async def look(workspace: Workspace, seen: Seen, number: int, call: Look, seconds: float) -> str:
    """Carry a call out.

    Args:
        workspace: Where.
        seen: Told what was shown.
        number: The call's number in this investigation, by which it is cited.
        call: The call.
        seconds: Time that is left for it.

    Raises:
        EnvironmentFault: The container failed.
    """
    try:
        if isinstance(call, RunCall):
            return await _run(workspace, seen, number, call, seconds)
        if isinstance(call, ReadCall):
            return await _read(workspace, seen, number, call)
        return await _search(workspace, seen, number, call)
    except Unreadable as problem:
        return f"call {number}: {cut(clean(str(problem)), 300)}"


async def _run(workspace: Workspace, seen: Seen, number: int, call: RunCall, seconds: float) -> str:
    ran = await workspace.run(call.command, min(float(call.timeout_sec), max(1.0, seconds)))
    seen.ran(number, call.command)
    ended = "killed, it ran out of time" if ran.exit is None else f"exit {ran.exit}"
    cut_off = ", output cut off" if ran.truncated else ""
    if not ran.output.strip():
        return f"call {number}: {ended}, no output"
    return f"call {number}: {ended}{cut_off}\n{fenced('output', cut(clean(ran.output), defaults.JUDGE_OUTPUT_CHARS))}"


async def _read(workspace: Workspace, seen: Seen, number: int, call: ReadCall) -> str:
    excerpt = await workspace.read(call.path, call.first_line, call.lines)
    numbered = list(enumerate(excerpt.lines, start=call.first_line))
    shown = _within([(line, f"{line}: {_line(text)}") for line, text in numbered])
    if not shown:
        return f"call {number}: the file has {excerpt.total} lines, none from line {call.first_line}"
    last = shown[-1][0]
    seen.showed(call.path, [line for line, _ in shown])
    text = "\n".join(text for _, text in shown)
    return f"call {number}: lines {shown[0][0]}-{last} of {excerpt.total}\n{fenced('file', text)}"


async def _search(workspace: Workspace, seen: Seen, number: int, call: SearchCall) -> str:
    hits = await workspace.search(call.pattern, call.path)
    found = list(hits.found)[: defaults.JUDGE_HITS]
    shown = _within([(at, f"{one.path}:{one.line}: {_line(one.text)}") for at, one in enumerate(found)])
    for at, _ in shown:
        seen.showed(found[at].path, [found[at].line])
    if not shown:
        return f"call {number}: nothing found"
    more = ", there are more" if hits.truncated or len(shown) < len(hits.found) else ""
    return f"call {number}: {len(shown)} lines{more}\n" + fenced("found", "\n".join(text for _, text in shown))


def _line(text: str) -> str:
    return cut(clean(text).rstrip("\n"), defaults.JUDGE_LINE_CHARS)


def _within(rows: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """As many rows as the room allows: only what is shown whole counts as seen."""
    room, kept = defaults.JUDGE_OUTPUT_CHARS, []
    for number, text in rows:
        room -= len(text) + 1
        if room < 0:
            break
        kept.append((number, text))
    return kept
