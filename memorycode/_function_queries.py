"""Requests for a function, each with its functional tests. No request names a rule."""

from swe_together.memorycode._request import ANY_ANSWER, request
from swe_together.memorycode._rules_model import ObjectKind as K
from swe_together.memorycode._rules_model import Query

_PROFILE = ANY_ANSWER | {K.FUNCTION, K.ARGUMENT}


def _function(id: str, name: str, text: str, *cases: dict[str, object], more: frozenset[K] = frozenset()) -> Query:
    path = f"{name}.py"
    return Query(id, request(text, path), _PROFILE | more, path, {"function": name, "cases": list(cases)})


_IMPORTS = frozenset({K.IMPORT})
_PATHS = frozenset({K.PATH})
_MANY = list(range(1001))

FUNCTION_QUERIES = (
    _function(
        "merge-sorted", "merge_sorted",
        "Write a function `merge_sorted(left_items, right_items)` that merges two sorted lists of numbers into one "
        "sorted list, in one pass. A list of more than `MAX_ITEMS` (1000, a module-level constant) items is an "
        "error whose message holds its length.",
        {"args": [[1, 4, 9], [2, 3, 10, 11]], "want": [1, 2, 3, 4, 9, 10, 11]},
        {"args": [[], []], "want": []},
        {"args": [[5, 5], [5]], "want": [5, 5, 5]},
        {"args": [[], [-2, 7]], "want": [-2, 7]},
        {"args": [_MANY, []], "raises": "1001"},
        {"args": [[], _MANY], "raises": "1001"},
    ),
    _function(
        "citation-index", "citation_index",
        "Write a function `citation_index(paper_counts, least_index)` that returns the h-index of a researcher "
        "whose papers were cited that often: the largest h such that h papers have at least h citations each, but "
        "never less than `least_index`. A count outside 0 … `MAX_COUNT` (100000, a module-level constant) is an "
        "error whose message holds the count.",
        {"args": [[3, 0, 6, 1, 5], 0], "want": 3},
        {"args": [[], 0], "want": 0},
        {"args": [[1, 1, 1], 2], "want": 2},
        {"args": [[10, 10, 10, 10], 1], "want": 4},
        {"args": [[3, -7], 0], "raises": "-7"},
        {"args": [[100001], 0], "raises": "100001"},
    ),
    _function(
        "roman-number", "roman_number",
        "Write a function `roman_number(whole_number, lower_case)` that returns a whole number in Roman numerals, "
        "in lower case where the second argument is true. Anything outside 1 … `MAX_NUMBER` (3999, a module-level "
        "constant) is an error whose message holds the number.",
        {"args": [1994, False], "want": "MCMXCIV"},
        {"args": [4, True], "want": "iv"},
        {"args": [3999, False], "want": "MMMCMXCIX"},
        {"args": [58, False], "want": "LVIII"},
        {"args": [0, False], "raises": "0"},
        {"args": [4000, True], "raises": "4000"},
    ),
    _function(
        "edit-distance", "edit_distance",
        "Write a function `edit_distance(first_word, second_word)` that returns the least number of letters to "
        "insert, delete or replace to turn one word into the other. A word longer than `MAX_LETTERS` (200, a "
        "module-level constant) is an error whose message holds its length.",
        {"args": ["kitten", "sitting"], "want": 3},
        {"args": ["", "abc"], "want": 3},
        {"args": ["same", "same"], "want": 0},
        {"args": ["flaw", "lawn"], "want": 2},
        {"args": ["x" * 201, "x"], "raises": "201"},
        {"args": ["x", "y" * 250], "raises": "250"},
    ),
    _function(
        "letter-runs", "letter_runs",
        "Write a function `letter_runs(plain_text, shortest_run)` that writes each run of at least `shortest_run` "
        "equal letters as the letter and the length of the run (`aaab` with 2 becomes `a3b`) and keeps shorter runs "
        "as they are. A shortest run outside 2 … `MAX_RUN` (99, a module-level constant) is an error whose message "
        "holds it.",
        {"args": ["aaab", 2], "want": "a3b"},
        {"args": ["", 2], "want": ""},
        {"args": ["aabbb", 3], "want": "aab3"},
        {"args": ["zzzzzzzzzzzz", 5], "want": "z12"},
        {"args": ["abc", 1], "raises": "1"},
        {"args": ["abc", 100], "raises": "100"},
    ),
    _function(
        "window-means", "window_means",
        "Write a function `window_means(sample_values, window_size)` that returns the list of the means of every "
        "window of neighbouring values, from left to right, computed with the standard library's `statistics` "
        "module. A window size outside 1 … `MAX_WINDOW` (100, a module-level constant) is an error whose message "
        "holds it.",
        {"args": [[1, 2, 3, 4], 2], "want": [1.5, 2.5, 3.5]},
        {"args": [[5], 1], "want": [5]},
        {"args": [[1, 2], 3], "want": []},
        {"args": [[2, 4, 9], 3], "want": [5]},
        {"args": [[1], 0], "raises": "0"},
        {"args": [[1], 101], "raises": "101"},
        more=_IMPORTS,
    ),
    _function(
        "late-fees", "late_fees",
        "Write a function `late_fees(due_date, paid_dates)`: the first is a date as ISO text, the second a list of "
        "such dates, read with the standard library's `datetime` module. It returns the fees, one for each payment: "
        "`WEEK_FEE` (5, a module-level constant) for every week begun after the due date, 0 if paid in time. A "
        "payment more than 10 years late is an error whose message holds its date.",
        {"args": ["2024-03-01", ["2024-03-01", "2024-03-02", "2024-03-08", "2024-03-09"]], "want": [0, 5, 5, 10]},
        {"args": ["2024-01-31", []], "want": []},
        {"args": ["2024-02-28", ["2024-02-01", "2024-03-06"]], "want": [0, 5]},
        {"args": ["2023-12-31", ["2024-12-30", "2024-12-30"]], "want": [265, 265]},
        {"args": ["2000-01-01", ["2024-05-06"]], "raises": "2024-05-06"},
        {"args": ["1990-07-01", ["1990-07-02", "2010-07-01"]], "raises": "2010-07-01"},
        more=_IMPORTS,
    ),
    _function(
        "folder-bytes", "folder_bytes",
        "Write a function `folder_bytes(folder_name, file_suffix)` that returns how many bytes the files right in a "
        "folder have together whose names end with the suffix; folders inside it don't count. A folder that isn't "
        "there, or that holds more than `MAX_FILES` (5000, a module-level constant) entries, is an error whose "
        "message holds the folder's name.",
        {"files": {"a.txt": "12345", "b.txt": "123", "c.md": "1"}, "args": ["$FOLDER", ".txt"], "want": 8},
        {"files": {"a.txt": "12345", "sub/b.txt": "123"}, "args": ["$FOLDER", ".txt"], "want": 5},
        {"files": {"x.md": "1", "y.txt/z": "22"}, "args": ["$FOLDER", ".txt"], "want": 0},
        {"files": {"x": ""}, "args": ["$FOLDER", ""], "want": 0},
        {"files": {}, "args": ["$FOLDER/nowhere", ".txt"], "raises": "nowhere"},
        {"files": {}, "args": ["$FOLDER/missing-one", ""], "raises": "missing-one"},
        more=_PATHS,
    ),
    _function(
        "module-stems", "module_stems",
        "Write a function `module_stems(folder_name, skipped_prefix)` that returns the sorted names, without `.py`, "
        "of the Python files right in a folder, apart from those that start with the prefix (none is left out for "
        "an empty prefix). A folder that isn't there, or a prefix longer than `MAX_PREFIX` (20, a module-level "
        "constant), is an error whose message holds it.",
        {"files": {"b.py": "", "a.py": "", "_c.py": "", "d.txt": ""}, "args": ["$FOLDER", "_"], "want": ["a", "b"]},
        {"files": {"b.py": "", "_c.py": ""}, "args": ["$FOLDER", ""], "want": ["_c", "b"]},
        {"files": {"sub/x.py": "", "y.py/z": ""}, "args": ["$FOLDER", "_"], "want": []},
        {"files": {"two.parts.py": ""}, "args": ["$FOLDER", "_"], "want": ["two.parts"]},
        {"files": {}, "args": ["$FOLDER/nowhere", "_"], "raises": "nowhere"},
        {"files": {}, "args": ["$FOLDER", "p" * 21], "raises": "p" * 21},
        more=_PATHS,
    ),
)  # fmt: skip
