"""Files: broken lines, documents, what can't be read, which format."""

import json
from pathlib import Path

import pytest

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions import Source, read_sessions, sniff_format
from swe_together.pipeline.sessions._source import shape_told
from tests.pipeline.sessions.claude_log import small_session


def test_broken_lines_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a":1}\r\n\n{"a":\n3\n{"a":4}')
    source = Source(path)
    assert list(source.records()) == [(1, {"a": 1}), (5, {"a": 4})]
    assert [problem.record for problem in source.problems] == [3, 4]


def test_bytes_that_are_no_text_are_reported_only_where_they_break_a_record(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":"caf\xe9"}\n')
    source = Source(path)
    assert list(source.records()) == [(1, {"a": "caf\ufffd"})]
    assert source.problems == []


def test_the_shape_of_a_record_is_told_without_its_words() -> None:
    with pytest.raises(ValueError, match="a secret") as value:
        int("a secret")
    with pytest.raises(KeyError) as key:
        {}["a secret"]
    with pytest.raises(AttributeError) as attribute:
        "a secret".get  # type: ignore[attr-defined]  # noqa: B018
    assert (shape_told(value.value), shape_told(key.value)) == ("ValueError", "KeyError")
    assert shape_told(attribute.value) == "AttributeError: 'str' object has no attribute 'get'"


@pytest.mark.parametrize(
    "text",
    ['{"id": 1}\n{"id": 2}\n', '[{"id": 1}, {"id": 2}]', '[\n {"id": 1},\n {"id": 2}\n]\n'],
    ids=["lines", "list", "indented list"],
)
def test_objects_of_a_file_in_any_layout(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert [value["id"] for _, value in Source(path).objects()] == [1, 2]


@pytest.mark.parametrize("sizes", [(5, 100_000), (100_000, 5), (100_000, 100_000), (70_000,), (5,), (5,) * 30])
def test_a_head_and_objects_of_lines_of_any_length(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"id": number, "x": "y" * size}) + "\n" for number, size in enumerate(sizes)))
    source = Source(path)
    head = [record["id"] for record in source.head().records]
    assert head and head == list(range(len(sizes)))[: len(head)]
    assert [value["id"] for _, value in source.objects()] == list(range(len(sizes)))


def test_an_indented_document_is_one_object(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"id": 1, "b": {"c": []}}, indent=2))
    source = Source(path)
    assert source.head().records == ({"id": 1, "b": {"c": []}},)
    assert [value["id"] for _, value in source.objects()] == [1]


def test_a_head_of_lines_of_which_the_first_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "5e55.jsonl"
    lines = small_session().lines()
    lines[0] = lines[0][:-9] + b"\n"
    path.write_bytes(b"".join(lines))
    assert sniff_format(path).NAME == "claude-code"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no known format"),
        (b"\0\1\2\3" * 50, "no known format"),
        (b'{"name": "package", "version": "1.0.0"}', "no known format"),
        (b"# Read me\n", "no known format"),
        (b"[1, 2, 3]", "no known format"),
        (b'{"type": "user", "message": "of another program"}\n', "no known format"),
    ],
)
def test_a_file_that_is_no_session_is_a_typed_error_that_names_it(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "thing.json"
    path.write_bytes(content)
    with pytest.raises(SessionFileError, match=said) as caught:
        list(read_sessions(path))
    assert str(path) in str(caught.value)
    assert "claude-code" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SessionFileError, match=r"nowhere\.jsonl: can't be read"):
        list(read_sessions(tmp_path / "nowhere.jsonl"))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(SessionFileError, match="can't be read"):
        list(read_sessions(tmp_path))
