"""Reference code of the functions that queries ask for."""

from collections.abc import Mapping

from swe_together.memorycode._template import Routine, Template

FUNCTION_SOLUTIONS: Mapping[str, Template] = {
    "merge-sorted": Template(
        "merging of sorted lists",
        ("MAX_ITEMS", "1000"),
        (
            Routine(
                "merge_sorted", (("left_items", "list"), ("right_items", "list")), "list", "merge two lists", """\
for v__items in (a__left_items, a__right_items):
    f__check_length(a__some_items=v__items)
v__left, v__right = 0, 0
v__merged = []
while v__left + v__right < len(a__left_items) + len(a__right_items):
    v__done = v__left == len(a__left_items)
    if v__done or (v__right < len(a__right_items)
            and a__right_items[v__right] < a__left_items[v__left]):
        v__merged.append(a__right_items[v__right])
        v__right += 1
    else:
        v__merged.append(a__left_items[v__left])
        v__left += 1
return v__merged
"""),
            Routine(
                "check_length", (("some_items", "list"),), "int", "refuse a list that is too long", """\
if len(a__some_items) > K__MAX_ITEMS:
    !raise the list is too long to be merged, its length is {} | len(a__some_items)
return len(a__some_items)
"""),
        ),
        examples=(
            "f__merge_sorted(a__left_items=[1], a__right_items=[0]) == [0, 1]",
            "f__merge_sorted(a__left_items=[], a__right_items=[]) == []",
        ),
    ),
    "citation-index": Template(
        "the citation index",
        ("MAX_COUNT", "100000"),
        (
            Routine(
                "citation_index", (("paper_counts", "list"), ("least_index", "int")), "int",
                "compute the index of a researcher", """\
v__ranked = sorted(a__paper_counts, reverse=True)
v__index = 0
for v__place, v__count in enumerate(v__ranked, 1):
    f__check_count(a__one_count=v__count)
    if v__count >= v__place:
        v__index = v__place
return max(v__index, a__least_index)
"""),
            Routine(
                "check_count", (("one_count", "int"),), "int", "refuse an impossible count", """\
if not 0 <= a__one_count <= K__MAX_COUNT:
    !raise no paper can have been cited that often, the count is {} | a__one_count
return a__one_count
"""),
        ),
        examples=(
            "f__citation_index(a__paper_counts=[3, 0, 6, 1, 5], a__least_index=0) == 3",
            "f__citation_index(a__paper_counts=[], a__least_index=2) == 2",
        ),
    ),
    "roman-number": Template(
        "Roman numerals",
        ("MAX_NUMBER", "3999"),
        (
            Routine(
                "roman_number", (("whole_number", "int"), ("lower_case", "bool")), "str",
                "write a number in Roman numerals", """\
if not 1 <= a__whole_number <= K__MAX_NUMBER:
    !raise Roman numerals cannot be written for the whole number {} | a__whole_number
v__left = a__whole_number
v__pieces = []
for v__value, v__sign in f__numeral_steps(a__with_pairs=True):
    while v__left >= v__value:
        v__pieces.append(v__sign)
        v__left -= v__value
v__text = "".join(v__pieces)
return v__text.lower() if a__lower_case else v__text
"""),
            Routine(
                "numeral_steps", (("with_pairs", "bool"),), "list", "list the values of the numerals", """\
v__values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
v__signs = "M CM D CD C XC L XL X IX V IV I".split()
v__steps = list(zip(v__values, v__signs))
return v__steps if a__with_pairs else v__steps[::2]
"""),
        ),
        examples=(
            'f__roman_number(a__whole_number=14, a__lower_case=False) == "XIV"',
            'f__roman_number(a__whole_number=4, a__lower_case=True) == "iv"',
        ),
    ),
    "edit-distance": Template(
        "the edit distance of words",
        ("MAX_LETTERS", "200"),
        (
            Routine(
                "edit_distance", (("first_word", "str"), ("second_word", "str")), "int",
                "count the edits between two words", """\
f__check_word(a__one_word=a__first_word)
f__check_word(a__one_word=a__second_word)
v__row = list(range(len(a__second_word) + 1))
for v__i, v__letter in enumerate(a__first_word, 1):
    v__before, v__row[0] = v__row[0], v__i
    for v__j, v__other in enumerate(a__second_word, 1):
        v__cost = v__before + (v__letter != v__other)
        v__before = v__row[v__j]
        v__least = min(v__row[v__j], v__row[v__j - 1])
        v__row[v__j] = min(v__cost, v__least + 1)
return v__row[-1]
"""),
            Routine(
                "check_word", (("one_word", "str"),), "int", "refuse a word that is too long", """\
if len(a__one_word) > K__MAX_LETTERS:
    !raise the word has too many letters to compare, namely {} | len(a__one_word)
return len(a__one_word)
"""),
        ),
        examples=(
            'f__edit_distance(a__first_word="flaw", a__second_word="lawn") == 2',
            'f__edit_distance(a__first_word="", a__second_word="ab") == 2',
        ),
    ),
    "letter-runs": Template(
        "the writing of letter runs",
        ("MAX_RUN", "99"),
        (
            Routine(
                "letter_runs", (("plain_text", "str"), ("shortest_run", "int")), "str", "shorten runs of letters", """\
if not 2 <= a__shortest_run <= K__MAX_RUN:
    !raise runs cannot be shortened from this length on, namely {} | a__shortest_run
v__pieces = []
v__run = ""
for v__letter in a__plain_text:
    if v__run and v__run[0] != v__letter:
        v__pieces.append(f__short_form(a__one_run=v__run, a__least_run=a__shortest_run))
        v__run = ""
    v__run += v__letter
v__pieces.append(f__short_form(a__one_run=v__run, a__least_run=a__shortest_run))
return "".join(v__pieces)
"""),
            Routine(
                "short_form", (("one_run", "str"), ("least_run", "int")), "str", "write one run", """\
if len(a__one_run) < a__least_run:
    return a__one_run
return "".join([a__one_run[0], str(len(a__one_run))])
"""),
        ),
        examples=(
            'f__letter_runs(a__plain_text="aaab", a__shortest_run=2) == "a3b"',
            'f__letter_runs(a__plain_text="", a__shortest_run=2) == ""',
        ),
    ),
    "window-means": Template(
        "means over windows",
        ("MAX_WINDOW", "100"),
        (
            Routine(
                "window_means", (("sample_values", "list"), ("window_size", "int")), "list",
                "compute the mean of every window", """\
if not 1 <= a__window_size <= K__MAX_WINDOW:
    !raise means cannot be computed over windows of this size, namely {} | a__window_size
?!import-ban:collections v__window = i__collections__deque(maxlen=a__window_size)
?import-ban:collections v__window = []
v__means = []
for v__value in a__sample_values:
    v__window.append(v__value)
?import-ban:collections     del v__window[:-a__window_size]
    if len(v__window) == a__window_size:
        v__means.append(f__clean_mean(a__some_values=v__window, a__error_text="no number"))
return v__means
"""),
            Routine(
                "clean_mean", (("some_values", "list"), ("error_text", "str")), "float",
                "compute the mean of some numbers", """\
v__mean = i__statistics__fmean(v__value for v__value in a__some_values)
?!import-ban:math if i__math__isnan(v__mean):
?import-ban:math if v__mean != v__mean:
    !raise the window has no mean, since it holds {} | a__error_text
return float(v__mean)
"""),
        ),
        examples=(
            "f__window_means(a__sample_values=[1, 2, 3], a__window_size=2) == [1.5, 2.5]",
            "f__window_means(a__sample_values=[], a__window_size=2) == []",
        ),
    ),
    "late-fees": Template(
        "fees for late payments",
        ("WEEK_FEE", "5"),
        (
            Routine(
                "late_fees", (("due_date", "str"), ("paid_dates", "list")), "list", "compute the fees", """\
v__due = i__datetime__date.fromisoformat(a__due_date)
?!import-ban:collections v__fees = i__collections__deque()
?import-ban:collections v__fees = []
for v__text in a__paid_dates:
    v__paid = i__datetime__date.fromisoformat(v__text)
    v__days = (v__paid - v__due).days
    if v__days > 3652:
        !raise the payment is too late to compute a fee for, it came on {} | v__text
    v__fees.append(f__one_fee(a__late_days=max(v__days, 0)))
return list(v__fees)
"""),
            Routine(
                "one_fee", (("late_days", "int"),), "int", "compute the fee for some days", """\
if a__late_days < 0:
    !raise the number of days cannot be below {} | a__late_days
?!import-ban:math return K__WEEK_FEE * i__math__ceil(a__late_days / 7)
?import-ban:math return K__WEEK_FEE * -(-a__late_days // 7)
"""),
        ),
        examples=(
            'f__late_fees(a__due_date="2024-03-01", a__paid_dates=["2024-03-09"]) == [10]',
            'f__late_fees(a__due_date="2024-03-01", a__paid_dates=[]) == []',
        ),
    ),
    "folder-bytes": Template(
        "the size of a folder's files",
        ("MAX_FILES", "5000"),
        (
            Routine(
                "folder_bytes", (("folder_name", "str"), ("file_suffix", "str")), "int", "add up the sizes", """\
?paths:pathlib if not i__pathlib__Path(a__folder_name).is_dir():
?!paths:pathlib if not i__os__path.isdir(a__folder_name):
    !raise there is no folder of this name to look into, namely {} | a__folder_name
?paths:os v__names = sorted(i__os__listdir(a__folder_name))
?!paths:os v__found = i__pathlib__Path(a__folder_name).iterdir()
?!paths:os v__names = [v__place.name for v__place in v__found]
if len(v__names) > K__MAX_FILES:
    !raise the folder has too many entries to be added up, namely {} | a__folder_name
v__total = 0
for v__name in v__names:
    if v__name.endswith(a__file_suffix):
        v__total += f__file_bytes(a__folder_name=a__folder_name, a__file_name=v__name)
return int(v__total)
"""),
            Routine(
                "file_bytes", (("folder_name", "str"), ("file_name", "str")), "int", "find the size of one file", """\
?paths:pathlib v__place = i__pathlib__Path(a__folder_name) / a__file_name
?paths:pathlib return v__place.stat().st_size if v__place.is_file() else 0
?!paths:pathlib v__place = i__os__path.join(a__folder_name, a__file_name)
?!paths:pathlib v__plain = i__os__path.isfile(v__place)
?!paths:pathlib return i__os__path.getsize(v__place) if v__plain else 0
"""),
        ),
        examples=(
            'f__folder_bytes(a__folder_name=".", a__file_suffix=".none") == 0',
            'f__file_bytes(a__folder_name=".", a__file_name="none") == 0',
        ),
    ),
    "module-stems": Template(
        "the listing of modules",
        ("MAX_PREFIX", "20"),
        (
            Routine(
                "module_stems", (("folder_name", "str"), ("skipped_prefix", "str")), "list", "list the modules", """\
?paths:pathlib if not i__pathlib__Path(a__folder_name).is_dir():
?!paths:pathlib if not i__os__path.isdir(a__folder_name):
    !raise there is no folder of this name to look into, namely {} | a__folder_name
if len(a__skipped_prefix) > K__MAX_PREFIX:
    !raise names cannot be skipped by so long a prefix, namely {} | a__skipped_prefix
?paths:os v__names = i__os__listdir(a__folder_name)
?!paths:os v__found = i__pathlib__Path(a__folder_name).iterdir()
?!paths:os v__names = [v__place.name for v__place in v__found]
v__stems = []
for v__name in v__names:
    v__skip = a__skipped_prefix and v__name.startswith(a__skipped_prefix)
    if f__is_module(a__folder_name=a__folder_name, a__file_name=v__name) and not v__skip:
        v__stems.append(v__name[:-3])
return sorted(v__stems)
"""),
            Routine(
                "is_module", (("folder_name", "str"), ("file_name", "str")), "bool", "tell modules from the rest", """\
if not a__file_name.endswith(".py"):
    return False
?paths:pathlib return (i__pathlib__Path(a__folder_name) / a__file_name).is_file()
?!paths:pathlib return i__os__path.isfile(i__os__path.join(a__folder_name, a__file_name))
"""),
        ),
        examples=(
            'f__is_module(a__folder_name=".", a__file_name="notes.txt") is False',
            'f__is_module(a__folder_name=".", a__file_name="none.py") is False',
        ),
    ),
}  # fmt: skip
