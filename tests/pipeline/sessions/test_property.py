"""However a file is damaged: no crash, nothing counted twice, no tool's output in the person's mouth, no words lost."""

import copy
import importlib
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions import Call, Outcome, Session, Source, sniff_format
from swe_together.pipeline.sessions._registry import FormatModule
from tests.pipeline.sessions.samples import OUTPUT, Sample, Unit, all_samples

SAMPLES = {sample.name: sample for sample in all_samples()}
LINES = {name: sample for name, sample in SAMPLES.items() if sample.one_a_line}
BY_NAME = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
EXAMPLES = os.environ.get("SWE_TOGETHER_EXAMPLES")
"""How many of each property to try; unless it is given, a few, the same each time."""
RUNS = settings(
    max_examples=int(EXAMPLES or 20),
    derandomize=EXAMPLES is None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ANY_VALUE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=4),
    st.sampled_from([[], {}, [[]], [{}], {"type": None}, [None], "user", "text"]),
)
KEYS_THAT_PLACE_OTHERS = frozenset({"id", "parentId"})
"""By these a record says which others belong to the session."""
KEYS_THAT_ALONE_TELL = frozenset({"synthetic", "ignored", "type", "role", "source", "extra", "event", "name", "tool"})
"""A tool's output, or a program's text, is told from the person's by these alone: another value makes it theirs."""


@contextmanager
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp())
    try:
        yield made
    finally:
        shutil.rmtree(made)


def read(sample: Sample, units: Sequence[Unit]) -> list[Session]:
    """Read what the module itself makes of the units: an error of ours is an answer, any other a crash."""
    with folder() as place:
        path = sample.write(place, units)
        return read_file(module_for(sample, path), path)


def module_for(sample: Sample, path: Path) -> FormatModule:
    """The one that the file passes for, or else its own."""
    try:
        return sniff_format(path)
    except SessionFileError:
        module = importlib.import_module(f"swe_together.pipeline.sessions.formats.{sample.module}")
        return cast(FormatModule, module)


def read_file(module: FormatModule, path: Path) -> list[Session]:
    found: list[Session] = []
    with suppress(SessionFileError):
        found.extend(module.read(Source(path)))
    return found


def words(sessions: Sequence[Session]) -> Counter[str]:
    return Counter(human.text for session in sessions for human in session.humans())


def check_no_output_is_the_persons(sessions: Sequence[Session]) -> None:
    assert not [text for text in words(sessions) if OUTPUT in text]


def check_nothing_twice(sample: Sample, sessions: Sequence[Session]) -> None:
    for session in sessions:
        for kind in (Call, Outcome):
            ids = [event.call_id for event in session.events if isinstance(event, kind)]
            assert len(ids) == len(set(ids))
    if sample.names_its_records:
        said = words(sessions)
        assert all(said[text] <= 1 for text in sample.told_by), said


def check_tokens(sample: Sample, sessions: Sequence[Session]) -> None:
    """No more than the whole file has."""
    [whole] = read(sample, sample.units)
    for session in sessions:
        for name in ("input", "cached", "output", "reasoning"):
            count, most = getattr(session.tokens, name), getattr(whole.tokens, name)
            assert count is None or (most is not None and count <= most), (name, session.tokens, whole.tokens)


def check_no_words_lost(sample: Sample, sessions: Sequence[Session], whole: set[int]) -> None:
    said = words(sessions)
    lost = [text for text, places in sample.told_by.items() if places <= whole and not said[text]]
    assert not lost, said


@BY_NAME
def test_the_sample_itself_is_told_by_its_format_and_read_whole(sample: Sample) -> None:
    with folder() as place:
        path = sample.write(place, sample.units)
        assert sniff_format(path).__name__.rpartition(".")[2] == sample.module
    [session] = read(sample, sample.units)
    assert {human.text for human in session.humans()} == set(sample.told_by)
    assert session.problems == ()
    check_no_output_is_the_persons([session])
    # The marker does stand in the outputs.
    assert OUTPUT in str(session.events) or sample.name == "codex-bare"


@BY_NAME
@RUNS
@given(data=st.data())
def test_records_that_are_broken_missing_or_repeated(sample: Sample, data: st.DataObject) -> None:
    """Words whose own records are whole are all there, and once."""
    fates = data.draw(st.lists(st.sampled_from("....rbbm"), min_size=len(sample.units), max_size=len(sample.units)))
    units: list[Unit] = []
    whole: set[int] = set()
    for place, (unit, fate) in enumerate(zip(sample.units, fates, strict=True)):
        if fate in ".r":
            whole.add(place)
            units += [unit] * (1 if fate == "." or not sample.names_its_records else data.draw(st.integers(2, 3)))
        elif fate == "b":
            units.append(_broken(data, unit))
    sessions = read(sample, units)
    check_no_output_is_the_persons(sessions)
    check_nothing_twice(sample, sessions)
    check_tokens(sample, sessions)
    check_no_words_lost(sample, sessions, whole)


@BY_NAME
@RUNS
@given(data=st.data())
def test_records_in_another_order_and_repeated_anywhere(sample: Sample, data: st.DataObject) -> None:
    units = list(sample.units)
    if sample.names_its_records:
        units += data.draw(st.lists(st.sampled_from(sample.units), max_size=6))
    sessions = read(sample, data.draw(st.permutations(units)))
    check_no_output_is_the_persons(sessions)
    check_nothing_twice(sample, sessions)
    check_tokens(sample, sessions)


@BY_NAME
@RUNS
@given(data=st.data())
def test_records_of_two_sessions_in_one_file(sample: Sample, data: st.DataObject) -> None:
    left, right = list(sample.units), list(sample.other)
    units: list[Unit] = []
    while left or right:
        units.append((left if left and (not right or data.draw(st.booleans())) else right).pop(0))
    sessions = read(sample, units)
    check_no_output_is_the_persons(sessions)
    check_nothing_twice(sample, sessions)


@BY_NAME
@RUNS
@given(data=st.data())
def test_values_of_another_type_anywhere(sample: Sample, data: st.DataObject) -> None:
    """Any value in any record may be something else: the other records are read as before."""
    units = [copy.deepcopy(dict(unit)) for unit in sample.units]
    changed = data.draw(st.lists(st.integers(0, len(units) - 1), min_size=1, max_size=4))
    for place in changed:
        _replace_a_value(data, units[place])
    sessions = read(sample, units)
    check_no_output_is_the_persons(sessions)
    check_nothing_twice(sample, sessions)
    check_no_words_lost(sample, sessions, set(range(len(units))) - set(changed))


@BY_NAME
@RUNS
@given(data=st.data())
def test_bytes_of_the_file_changed_or_cut_off(sample: Sample, data: st.DataObject) -> None:
    with folder() as place:
        path = sample.write(place, sample.units)
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(0, 6))):
            at = data.draw(st.integers(0, len(content) - 1))
            if data.draw(st.booleans()):
                content[at] = data.draw(st.integers(0, 255))
            else:
                del content[at : at + data.draw(st.integers(1, 40))]
        path.write_bytes(content[: data.draw(st.integers(0, len(content)) | st.just(len(content)))])
        sessions = read_file(module_for(sample, path), path)
    check_nothing_twice(sample, sessions)


@BY_NAME
def test_each_length_that_a_file_can_be_cut_off_at(sample: Sample) -> None:
    """The words before the cut are all there, in a file of a record a line."""
    with folder() as place:
        path = sample.write(place, sample.units)
        content = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(content) if byte == 10]
    with folder() as place:
        path = sample.write(place, sample.units)
        for length in range(0, len(content), max(1, len(content) // 60)):
            path.write_bytes(content[:length])
            sessions = read_file(module_for(sample, path), path)
            check_no_output_is_the_persons(sessions)
            if sample.one_a_line:
                check_no_words_lost(sample, sessions, {number for number, end in enumerate(ends) if end <= length})


@pytest.mark.parametrize("sample", LINES.values(), ids=LINES)
def test_a_file_whose_beginning_is_cut_off(sample: Sample) -> None:
    """The words of all lines that are whole are there."""
    with folder() as place:
        path = sample.write(place, sample.units)
        content = path.read_bytes()
        starts = [0, *(number + 1 for number, byte in enumerate(content) if byte == 10)][: len(sample.units)]
        for begin in range(0, len(content), max(1, len(content) // 60)):
            path.write_bytes(content[begin:])
            sessions = read_file(module_for(sample, path), path)
            check_no_output_is_the_persons(sessions)
            check_no_words_lost(sample, sessions, {number for number, start in enumerate(starts) if start >= begin})


def _broken(data: st.DataObject, unit: Any) -> bytes:
    """A line that holds part of a record, or none at all."""
    line = json.dumps(unit).encode()
    cut = data.draw(st.integers(1, len(line) - 1))
    ways = [line[:cut], line[cut:], b"\0" * 20, b"[]", b"null", b'"text"', line[cut:] + line[:cut]]
    return data.draw(st.sampled_from(ways))


def _replace_a_value(data: st.DataObject, unit: Any) -> None:
    places = list(_places(unit))
    inside, key = data.draw(st.sampled_from(places))
    # A text in a list of parts is a part, in some formats.
    value = ANY_VALUE if isinstance(inside, dict) else ANY_VALUE.filter(lambda one: type(one) is not str)
    inside[key] = copy.deepcopy(data.draw(value))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if key not in KEYS_THAT_ALONE_TELL | KEYS_THAT_PLACE_OTHERS:
            yield value, key
        yield from _places(inner)
