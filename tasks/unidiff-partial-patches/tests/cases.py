"""Cases of unidiff-partial-patches: a diff goes in with what is taken of it, and what comes out is applied to files."""

import difflib
import re
from typing import Any

from harness import Runner, case, equal

# Reads each diff, takes steps of it, and tells of the result, of the result read again, and of the diff afterwards.
DRIVER = """
from unidiff import PatchSet

def tell(patch):
    told = []
    for f in patch:
        hunks = [
            [h.source_start, h.source_length, h.target_start, h.target_length, h.section_header, h.added, h.removed,
             h.is_valid(), [[l.line_type, l.value, l.source_line_no, l.target_line_no, l.diff_line_no] for l in h]]
            for h in f
        ]
        facts = [f.path, f.source_file, f.target_file, f.source_timestamp, f.target_timestamp, f.diff_line_no]
        flags = [f.is_added_file, f.is_removed_file, f.is_modified_file, f.is_rename, f.is_binary_file]
        told.append([facts, flags, [f.source_mode, f.target_mode], [f.added, f.removed], hunks])
    return told

def take(patch, step, wanted):
    if step == 'hunks':
        return patch.only(lambda f, hunk: [f.path, hunk.source_start] in wanted)
    if step == 'lines':
        return patch.only_lines(lambda f, line: f.path + line.line_type + line.value.strip() in wanted)
    return patch.reversed()

def play(text, steps):
    patch = PatchSet(text)
    before = [str(patch), tell(patch)]
    result = patch
    for step, wanted in steps:
        result = take(result, step, wanted)
    again = PatchSet(str(result))
    kind = type(result).__name__
    return [str(result), kind, tell(result), tell(again), before == [str(patch), tell(patch)] and result is not patch]

emit([play(*item) for item in data])
"""

MARKER = "\\ No newline at end of file\n"
Files = dict[str, tuple[str, str]]
Steps = list[list[Any]]


def plain(path: str, old: str, new: str, context: int = 3, head: str = "") -> str:
    """The diff of two texts as programs write it, under ``head`` or under ---/+++ with a/ and b/."""
    lines = difflib.unified_diff(old.splitlines(True), new.splitlines(True), "F", "T", n=context)
    body = "".join(line if line.endswith("\n") else f"{line}\n{MARKER}" for line in list(lines)[2:])
    return (head or f"--- a/{path}\n+++ b/{path}\n") + body


def git(old_path: str, new_path: str, old: str | None, new: str | None, *more: str, context: int = 3) -> str:
    """The same with the header of git: None is a file that isn't there, ``more`` are lines of the header."""
    head = f"diff --git a/{old_path} b/{new_path}\n" + "".join(f"{line}\n" for line in more)
    if old == new:
        return head
    names = ("/dev/null" if old is None else f"a/{old_path}", "/dev/null" if new is None else f"b/{new_path}")
    return plain("", old or "", new or "", context, head + "--- {}\n+++ {}\n".format(*names))


def unprefixed(name: str) -> str:
    return name if name == "/dev/null" else name.strip('"').split("/", 1)[-1]


def apply(text: str, files: Files) -> Files:
    """Apply a diff to files (path: content and mode), as strictly as it can be done: no line may be elsewhere."""
    after = dict(files)
    lines = text.splitlines(True)
    at = 0
    source: str | None = None
    moved: str | None = None
    deleted = created = False
    while at < len(lines):
        line = lines[at].rstrip("\n")
        at += 1
        if line.startswith("diff --git "):
            match = re.fullmatch(r"diff --git [a-z]/(.*) [a-z]/(.*)", line)
            assert match, f"header {line!r}"
            source, moved = match.groups()
            deleted = created = False
        elif match := re.fullmatch(r"(new|deleted) file mode (\d+)", line):
            assert moved is not None and source is not None
            created, deleted = match[1] == "new", match[1] == "deleted"
            if created:
                assert moved not in files, f"{moved} is there already"
                after[moved] = ("", match[2])
            else:
                equal(files[source][1], match[2], f"mode of {source}")
                if not files[source][0]:
                    del after[source]
        elif match := re.fullmatch(r"rename (from|to) (.*)", line):
            equal(match[2], source if match[1] == "from" else moved, "renamed")
            if match[1] == "to":
                assert moved is not None and source is not None
                after[moved] = after.pop(source)
        elif match := re.fullmatch(r"(old|new) mode (\d+)", line):
            assert moved is not None and source is not None
            if match[1] == "old":
                equal(files[source][1], match[2], f"mode of {source}")
            else:
                after[source] = (after[source][0], match[2])
        elif line.startswith("--- "):
            names = [unprefixed(lines[n][4:].rstrip("\n").split("\t")[0]) for n in (at - 1, at)]
            assert lines[at].startswith("+++ "), lines[at]
            at += 1
            gone, new = names[1] == "/dev/null", names[0] == "/dev/null"
            assert not (deleted and not gone) and not (created and not new), f"header and names of {names} differ"
            path = names[0] if gone else names[1]
            old = "" if new else files[names[0]][0]
            content, at = patched(lines, at, old)
            assert not gone or not content, f"deleted file {path} still has contents: {content!r}"
            if gone:
                del after[path]
            else:
                after[path] = (content, after.get(path, ("", "100644"))[1])
            source = moved = None
        elif source is None and line.startswith("@@"):
            raise AssertionError(f"hunk without a file: {line!r}")
    return after


def patched(lines: list[str], at: int, old: str) -> tuple[str, int]:
    """Apply the hunks that begin at this line; the content, and the line after them."""
    have = old.splitlines(True)
    out: list[str] = []
    used = 0
    while at < len(lines) and (match := re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", lines[at])):
        start, length, target, wanted = (1 if n is None else int(n) for n in match.groups())
        begin = start - 1 if length else start
        assert used <= begin <= len(have), f"{lines[at]!r} begins outside of the file"
        out += have[used:begin]
        equal(target - 1 if wanted else target, len(out), f"target of {lines[at]!r}")
        used, before = begin, len(out)
        at += 1
        while used - begin < length or len(out) - before < wanted:
            kind, value = lines[at][0], lines[at][1:]
            at += 1
            if at < len(lines) and lines[at].startswith("\\"):
                value = value[:-1]
                at += 1
            assert kind in " +-", f"line {lines[at - 1]!r}"
            if kind in " -":
                equal(have[used : used + 1], [value], f"line {used + 1} of the file")
                used += 1
            if kind in " +":
                assert not out or out[-1].endswith("\n"), f"{value!r} comes after a line without newline"
                out.append(value)
        equal([used - begin, len(out) - before], [length, wanted], "lengths")
    out += have[used:]
    assert all(line.endswith("\n") for line in out[:-1]), f"a line in the middle has no newline: {out}"
    return "".join(out), at


def play(run: Runner, text: str, *steps: list[Any]) -> Any:
    """What comes of a diff: text, type, facts, facts of the text read again, whether the diff is as before."""
    [found] = run.python(DRIVER, data=[[text, list(steps)]])
    return found


def gives(run: Runner, text: str, files: Files, *asked: tuple[Steps, Files]) -> None:
    """What is taken by each of the steps makes of files these files."""
    found = run.python(DRIVER, data=[[text, steps] for steps, _ in asked])
    for (steps, wanted), (result, kind, _, _, same) in zip(asked, found, strict=True):
        equal([kind, same], ["PatchSet", True], f"type, and the patch afterwards, of {steps}")
        try:
            equal(apply(result, files), wanted, "files")
        except (AssertionError, KeyError, IndexError) as error:
            raise AssertionError(f"{steps}: {error!r}, patch {result!r}") from None


def files(mode: str = "100644", **content: str) -> Files:
    return {path.replace("_", "."): (text, mode) for path, text in content.items()}


def column(*lines: object) -> str:
    return "".join(f"{line}\n" for line in lines)


def hunks(*wanted: tuple[str, int]) -> list[Any]:
    return ["hunks", [list(one) for one in wanted]]


def only(path: str, *wanted: str) -> list[Any]:
    return ["lines", [path + one for one in wanted]]


INDEX = "index 7898192..6178079 100644"
BACK = ["reversed", None]
THIRTY = [str(n) for n in range(1, 31)]


OLD = column(*THIRTY)
NEW = column(1, "two", "more", *range(3, 15), *range(16, 28), "28th", 29, 30)
THREE = plain("f.txt", OLD, NEW)
FIRST = column(1, "two", "more", *range(3, 31))
SECOND = column(*range(1, 15), *range(16, 31))
THIRD = column(*range(1, 28), "28th", 29, 30)


# --- the instruction: hunks ----------------------------------------------------------------------


@case(turn=0)
def the_first_hunks(run: Runner) -> None:
    both = column(1, "two", "more", *range(3, 15), *range(16, 31))
    gives(
        run,
        THREE,
        files(f_txt=OLD),
        ([hunks(("f.txt", 1))], files(f_txt=FIRST)),
        ([hunks(("f.txt", 1), ("f.txt", 12))], files(f_txt=both)),
        ([hunks(("f.txt", 1), ("f.txt", 12), ("f.txt", 25))], files(f_txt=NEW)),
    )


@case(turn=0)
def files_without_a_hunk_are_gone(run: Runner) -> None:
    other = git("g.txt", "g.txt", "a\n", "b\n", INDEX)
    text = THREE + other + plain("h.txt", "x\n", "x\ny\n")
    tree = files(f_txt=OLD, g_txt="a\n", h_txt="x\n")
    gives(
        run,
        text,
        tree,
        ([hunks(("g.txt", 1))], {**tree, "g.txt": ("b\n", "100644")}),
        ([hunks(("f.txt", 1), ("h.txt", 1))], {**tree, "f.txt": (FIRST, "100644"), "h.txt": ("x\ny\n", "100644")}),
    )
    equal([fact[0][0] for fact in play(run, text, hunks(("f.txt", 1), ("h.txt", 1)))[2]], ["f.txt", "h.txt"])
    equal(play(run, text, hunks())[:3], ["", "PatchSet", []])


@case(turn=0)
def new_and_deleted_files(run: Runner) -> None:
    text = git("n.txt", "n.txt", None, "1\n2\n", "new file mode 100755", "index 0000000..1191247")
    text += git("d.txt", "d.txt", "1\n2\n", None, "deleted file mode 100644", "index 1191247..0000000")
    tree = files(d_txt="1\n2\n")
    gives(
        run,
        text,
        tree,
        ([hunks(("n.txt", 0))], {**tree, "n.txt": ("1\n2\n", "100755")}),
        ([hunks(("d.txt", 1))], {}),
        ([hunks(("d.txt", 1), ("n.txt", 0))], {"n.txt": ("1\n2\n", "100755")}),
    )


@case(turn=0)
def numbers_of_later_hunks(run: Runner) -> None:
    gives(
        run,
        THREE,
        files(f_txt=OLD),
        ([hunks(("f.txt", 12))], files(f_txt=SECOND)),
        ([hunks(("f.txt", 25))], files(f_txt=THIRD)),
        ([hunks(("f.txt", 1), ("f.txt", 25))], files(f_txt=column(1, "two", "more", *range(3, 28), "28th", 29, 30))),
    )


@case(turn=0)
def numbers_without_context(run: Runner) -> None:
    new = column(0, *range(1, 10), *range(11, 21), "x", "y", *range(21, 30))
    text = plain("f.txt", OLD, new, context=0)
    gives(
        run,
        text,
        files(f_txt=OLD),
        ([hunks(("f.txt", 10))], files(f_txt=column(*range(1, 10), *range(11, 31)))),
        ([hunks(("f.txt", 20))], files(f_txt=column(*range(1, 21), "x", "y", *range(21, 31)))),
        ([hunks(("f.txt", 10), ("f.txt", 30))], files(f_txt=column(*range(1, 10), *range(11, 30)))),
    )


@case(turn=0)
def hunks_as_if_they_had_been_read(run: Runner) -> None:
    text = THREE + git("g.txt", "g.txt", "a\nb", "a\nc", INDEX)
    for wanted in ([("f.txt", 12, 12)], [("f.txt", 12, 12), ("f.txt", 25, 24), ("g.txt", 1, 1)], [("g.txt", 1, 1)]):
        _, _, found, again, _ = play(run, text, hunks(*((path, start) for path, start, _ in wanted)))
        equal([[f[0][0], h[0], h[2]] for f in found for h in f[4]], [list(one) for one in wanted])
        equal(found, again, f"facts of {wanted}")


# --- lines ---------------------------------------------------------------------------------------


@case(turn=1)
def single_added_lines(run: Runner) -> None:
    gives(
        run,
        THREE,
        files(f_txt=OLD),
        ([only("f.txt", "+more")], files(f_txt=column(1, 2, "more", *range(3, 31)))),
        ([only("f.txt", "+more", "-2")], files(f_txt=column(1, "more", *range(3, 31)))),
        ([only("f.txt", "+two", "-2")], files(f_txt=column(1, "two", *range(3, 31)))),
    )


@case(turn=1)
def removed_lines_that_stay(run: Runner) -> None:
    text = plain("f.txt", column(*range(1, 9)), column(1, 2, 5, 6, 8))
    gives(
        run,
        text,
        files(f_txt=column(*range(1, 9))),
        ([only("f.txt", "-3")], files(f_txt=column(1, 2, 4, 5, 6, 7, 8))),
        ([only("f.txt", "-4", "-7")], files(f_txt=column(1, 2, 3, 5, 6, 8))),
        ([only("f.txt", "-3", "-4", "-7")], files(f_txt=column(1, 2, 5, 6, 8))),
    )


@case(turn=1)
def hunks_without_a_line_are_gone(run: Runner) -> None:
    text = THREE + plain("g.txt", "a\n", "b\n")
    tree = files(f_txt=OLD, g_txt="a\n")
    gives(
        run,
        text,
        tree,
        ([only("f.txt", "-15")], {**tree, "f.txt": (SECOND, "100644")}),
        ([only("f.txt", "-28", "+28th")], {**tree, "f.txt": (THIRD, "100644")}),
        ([only("g.txt", "-a")], {**tree, "g.txt": ("", "100644")}),
    )
    found = play(run, text, only("f.txt", "-2", "-28", "+28th"))[2]
    equal([[f[0][0], f[3], [h[:4] for h in f[4]]] for f in found], [["f.txt", [1, 2], [[1, 5, 1, 4], [25, 6, 24, 6]]]])
    equal(play(run, text, only("f.txt"))[:3], ["", "PatchSet", []])


@case(turn=1)
def numbers_after_single_lines(run: Runner) -> None:
    wanted = only("f.txt", "+more", "-28", "+28th", "-15")
    new = column(1, 2, "more", *range(3, 15), *range(16, 28), "28th", 29, 30)
    gives(run, THREE, files(f_txt=OLD), ([wanted], files(f_txt=new)))
    _, _, found, again, _ = play(run, THREE + plain("g.txt", "a\n", "b\n"), wanted)
    equal([h[:4] for h in found[0][4]], [[1, 5, 1, 6], [12, 7, 13, 6], [25, 6, 25, 6]])
    equal(found, again, "facts")


@case(turn=1)
def lines_without_context(run: Runner) -> None:
    text = plain("f.txt", column(*range(1, 10)), column(1, "x", 4, 5, "y", "z", *range(6, 10)), context=0)
    gives(
        run,
        text,
        files(f_txt=column(*range(1, 10))),
        ([only("f.txt", "-2")], files(f_txt=column(1, *range(3, 10)))),
        ([only("f.txt", "-2", "-3")], files(f_txt=column(1, *range(4, 10)))),
        ([only("f.txt", "+z")], files(f_txt=column(*range(1, 6), "z", *range(6, 10)))),
        ([only("f.txt", "-2", "-3", "+y")], files(f_txt=column(1, 4, 5, "y", *range(6, 10)))),
    )


@case(turn=1)
def half_a_new_file(run: Runner) -> None:
    text = git("n.txt", "n.txt", None, "1\n2\n3\n", "new file mode 100755", "index 0000000..01e79c3")
    gives(
        run,
        text,
        {},
        ([only("n.txt", "+1", "+3")], files("100755", n_txt="1\n3\n")),
        ([only("n.txt", "+2")], files("100755", n_txt="2\n")),
    )
    equal(play(run, text, only("n.txt", "+2"))[2][0][1], [True, False, False, False, False])


@case(turn=1)
def last_lines_without_newline(run: Runner) -> None:
    text = plain("f.txt", "1\n2\nx\n3", "1\ntwo\nx\n3\nfour")
    tree = files(f_txt="1\n2\nx\n3")
    gives(
        run,
        text,
        tree,
        ([only("f.txt", "-2", "+two")], files(f_txt="1\ntwo\nx\n3")),
        ([only("f.txt", "-2", "+two", "-3", "+3", "+four")], files(f_txt="1\ntwo\nx\n3\nfour")),
        ([only("f.txt", "-3", "+3")], files(f_txt="1\n2\nx\n3\n")),
    )
    gives(run, plain("f.txt", "1\n2\n", "1\nx"), files(f_txt="1\n2\n"), ([only("f.txt", "-2")], files(f_txt="1\n")))


@case(turn=1)
def lines_after_one_without_newline(run: Runner) -> None:
    text = plain("f.txt", "1\n2", "1\n2\n3\n")
    gives(run, text, files(f_txt="1\n2"), ([only("f.txt", "+3")], files(f_txt="1\n2\n3\n")))
    text = plain("f.txt", "1\n2", "1\n2\n3\n4")
    gives(
        run,
        text,
        files(f_txt="1\n2"),
        ([only("f.txt", "+4")], files(f_txt="1\n2\n4")),
        ([only("f.txt", "+3")], files(f_txt="1\n2\n3\n")),
    )


@case(turn=1)
def half_a_deleted_file(run: Runner) -> None:
    text = git("d.txt", "d.txt", "1\n2\n3\n", None, "deleted file mode 100755", "index 01e79c3..0000000")
    tree = files("100755", d_txt="1\n2\n3\n")
    gives(
        run,
        text,
        tree,
        ([only("d.txt", "-1", "-3")], files("100755", d_txt="2\n")),
        ([only("d.txt", "-2")], files("100755", d_txt="1\n3\n")),
        ([only("d.txt", "-1", "-2", "-3")], {}),
    )
    [part] = play(run, text, only("d.txt", "-2"))[2]
    equal([part[0][0], part[1]], ["d.txt", [False, False, True, False, False]])


@case(turn=1)
def half_a_deleted_file_of_others(run: Runner) -> None:
    for name in ("a/d.txt", "d.txt"):
        text = plain("", "1\n2\n3\n", "", head=f"Index: d.txt\n--- {name}\t(revision 7)\n+++ /dev/null\t(nowhere)\n")
        result, _, [part], again, _ = play(run, text, only("d.txt", "-2"))
        equal([part[0][0], part[1][:3], part[3]], ["d.txt", [False, False, True], [0, 1]], name)
        equal([part], again, name)
        assert "/dev/null" not in result, result


@case(turn=2)
def one_of_two_changed_lines(run: Runner) -> None:
    text = plain("f.txt", column(1, "a", "b", 4), column(1, "A", "B", 4))
    gives(
        run,
        text,
        files(f_txt=column(1, "a", "b", 4)),
        ([only("f.txt", "-a", "+A")], files(f_txt=column(1, "A", "b", 4))),
        ([only("f.txt", "-b", "+B")], files(f_txt=column(1, "a", "B", 4))),
        ([only("f.txt", "-a", "-b", "+A", "+B")], files(f_txt=column(1, "A", "B", 4))),
    )


@case(turn=2)
def blocks_of_many_lines(run: Runner) -> None:
    old, new = column(1, *"abcd", 6, *"xyz"), column(1, *"ABCDEF", 6, *"X")
    text = plain("f.txt", old, new)
    gives(
        run,
        text,
        files(f_txt=old),
        ([only("f.txt", "-b", "+B", "+F")], files(f_txt=column(1, *"aBcdF", 6, *"xyz"))),
        ([only("f.txt", "-a", "-c", "+A", "+C", "-x", "+X")], files(f_txt=column(1, *"AbCd", 6, *"Xyz"))),
        ([only("f.txt", "-x", "-z", "+X")], files(f_txt=column(1, *"abcd", 6, *"Xy"))),
        ([only("f.txt", "+E")], files(f_txt=column(1, *"abcdE", 6, *"xyz"))),
    )


@case(turn=2)
def blocks_at_the_end_without_newline(run: Runner) -> None:
    text = plain("f.txt", "1\na\nb", "1\nA\nB")
    gives(
        run,
        text,
        files(f_txt="1\na\nb"),
        ([only("f.txt", "-a", "+A")], files(f_txt="1\nA\nb")),
        ([only("f.txt", "-b", "+B")], files(f_txt="1\na\nB")),
    )
    text = plain("f.txt", "1\na\nb\n", "1\nA")
    gives(run, text, files(f_txt="1\na\nb\n"), ([only("f.txt", "-a", "+A")], files(f_txt="1\nA\nb\n")))


# --- the way back --------------------------------------------------------------------------------


@case(turn=4)
def back_to_the_old_files(run: Runner) -> None:
    text = THREE + plain("g.txt", "a\nb", "a\nc\n") + plain("h.txt", "a\nb\n", "b\nc")
    old, new = files(f_txt=OLD, g_txt="a\nb", h_txt="a\nb\n"), files(f_txt=NEW, g_txt="a\nc\n", h_txt="b\nc")
    gives(run, text, new, ([BACK], old))
    gives(run, text, old, ([BACK, BACK], new))
    sparse = plain("f.txt", OLD, NEW, context=0)
    gives(run, sparse, files(f_txt=NEW), ([BACK], files(f_txt=OLD)))


@case(turn=4)
def what_the_way_back_tells(run: Runner) -> None:
    head = "--- a/f.txt\t2024-01-01 10:00:00\n+++ b/f.txt\t2024-02-02 20:00:00\n"
    text = plain("f.txt", OLD, NEW, head=head) + plain("g.txt", "", "a\n", head="--- /dev/null\n+++ b/g.txt\n")
    _, kind, found, again, same = play(run, text, BACK)
    equal([kind, same, found], ["PatchSet", True, again])
    equal([[f[0][0], *f[0][3:5], f[1][:3], f[3]] for f in found], [
        ["f.txt", "2024-02-02 20:00:00", "2024-01-01 10:00:00", [False, False, True], [3, 3]],
        ["g.txt", None, None, [False, True, False], [0, 1]],
    ])  # fmt: skip


@case(turn=4)
def some_hunks_back(run: Runner) -> None:
    new = files(f_txt=NEW)
    gives(
        run,
        THREE,
        new,
        ([BACK, hunks(("f.txt", 13))], files(f_txt=column(1, "two", "more", *range(3, 28), "28th", 29, 30))),
        ([BACK, hunks(("f.txt", 1))], files(f_txt=column(*range(1, 15), *range(16, 28), "28th", 29, 30))),
    )
    gives(run, THREE, files(f_txt=THIRD), ([hunks(("f.txt", 25)), BACK], files(f_txt=OLD)))


@case(turn=4)
def new_and_deleted_files_back(run: Runner) -> None:
    text = git("n.txt", "n.txt", None, "1\n2\n", "new file mode 100755", "index 0000000..1191247")
    text += git("d.txt", "d.txt", "1\n2\n", None, "deleted file mode 100644", "index 1191247..0000000")
    text += git("e.txt", "e.txt", "", None, "deleted file mode 100644", "index e69de29..0000000").split("---")[0]
    gives(
        run,
        text,
        {"n.txt": ("1\n2\n", "100755")},
        ([BACK], files(d_txt="1\n2\n", e_txt="")),
    )
    found = play(run, text, BACK)[2]
    equal([[f[0][0], f[1][:3]] for f in found[:2]], [["n.txt", [False, True, False]], ["d.txt", [True, False, False]]])


@case(turn=4)
def renamed_files_back(run: Runner) -> None:
    names = ["similarity index 80%", "rename from sub/old name", "rename to new name"]
    text = git("sub/old name", "new name", OLD, NEW, *names, "index 0ff3bbb..bb9ef6c 100644")
    text += git("p.txt", "q.txt", "", "", "similarity index 100%", "rename from p.txt", "rename to q.txt")
    old = {"sub/old name": (OLD, "100644"), "p.txt": ("x\n", "100755")}
    new = {"new name": (NEW, "100644"), "q.txt": ("x\n", "100755")}
    gives(run, text, new, ([BACK], old))
    gives(run, text, old, ([BACK, BACK], new))
    equal([[f[0][0], f[1][3]] for f in play(run, text, BACK)[2]], [["sub/old name", True], ["p.txt", True]])


@case(turn=4)
def modes_back(run: Runner) -> None:
    text = git("m.sh", "m.sh", "a\n", "b\n", "old mode 100644", "new mode 100755", "index 7898192..6178079")
    text += git("o.sh", "o.sh", "", "", "old mode 100755", "new mode 100644")
    old, new = {"m.sh": ("a\n", "100644"), "o.sh": ("", "100755")}, {"m.sh": ("b\n", "100755"), "o.sh": ("", "100644")}
    gives(run, text, new, ([BACK], old))
    equal([f[2] for f in play(run, text, BACK)[2]], [["100755", "100644"], ["100644", "100755"]])


@case(turn=4)
def single_lines_back(run: Runner) -> None:
    text = plain("f.txt", column(1, "a", 2, "b", 4), column(1, "A", 2, "B", 4, 5))
    gives(
        run,
        text,
        files(f_txt=column(1, "A", 2, "B", 4, 5)),
        ([BACK, only("f.txt", "-A", "+a")], files(f_txt=column(1, "a", 2, "B", 4, 5))),
        ([BACK, only("f.txt", "-5")], files(f_txt=column(1, "A", 2, "B", 4))),
        ([BACK, only("f.txt", "+b", "-B", "-5")], files(f_txt=column(1, "A", 2, "b", 4))),
    )


@case(turn=4)
def half_a_new_file_back(run: Runner) -> None:
    text = plain("n.txt", "", "1\n2\n3\n", head="--- /dev/null\n+++ b/n.txt\n")
    some, every = only("n.txt", "-2"), only("n.txt", "-1", "-2", "-3")
    gives(run, text, files(n_txt="1\n2\n3\n"), ([BACK, some], files(n_txt="1\n3\n")), ([BACK, every], {}))


@case(turn=4)
def back_after_a_line_without_newline(run: Runner) -> None:
    gives(
        run,
        plain("f.txt", "1\n2\n3", "1\n2"),
        files(f_txt="1\n2"),
        ([BACK, only("f.txt", "+3")], files(f_txt="1\n2\n3")),
    )


# --- what stays without a hunk -------------------------------------------------------------------


MOVED = ["similarity index 80%", "rename from old.txt", "rename to new.txt", "index 0ff3bbb..bb9ef6c 100644"]


@case(turn=6)
def renames_stay(run: Runner) -> None:
    text = git("old.txt", "new.txt", OLD, NEW, *MOVED) + git("g.txt", "g.txt", "a\n", "b\n", INDEX)
    tree = {"old.txt": (OLD, "100644"), "g.txt": ("a\n", "100644")}
    after = {"new.txt": (OLD, "100644"), "g.txt": ("a\n", "100644")}
    gives(
        run,
        text,
        tree,
        ([hunks()], after),
        ([only("new.txt")], after),
        ([hunks(("g.txt", 1))], {**after, "g.txt": ("b\n", "100644")}),
        ([only("new.txt", "-15")], {**after, "new.txt": (SECOND, "100644")}),
    )


@case(turn=6)
def renames_alone_stay(run: Runner) -> None:
    text = git("p.txt", "q.txt", "", "", "similarity index 100%", "rename from p.txt", "rename to q.txt")
    text += git("f.txt", "f.txt", OLD, NEW, INDEX)
    tree = {"p.txt": ("x\n", "100644"), "f.txt": (OLD, "100644")}
    after = {"q.txt": ("x\n", "100644"), "f.txt": (FIRST, "100644")}
    gives(run, text, tree, ([hunks(("f.txt", 1))], after), ([only("f.txt", "-2", "+two", "+more")], after))
    _, _, found, again, _ = play(run, text, hunks(("f.txt", 1)))
    equal([[[f[0][0], f[1][3]] for f in found], found], [[["q.txt", True], ["f.txt", False]], again])


@case(turn=6)
def modes_stay(run: Runner) -> None:
    text = git("m.sh", "m.sh", "a\n", "b\n", "old mode 100644", "new mode 100755", "index 7898192..6178079")
    text += git("o.sh", "o.sh", "", "", "old mode 100755", "new mode 100644")
    text += git("g.txt", "g.txt", "a\n", "b\n", INDEX)
    tree = {"m.sh": ("a\n", "100644"), "o.sh": ("", "100755"), "g.txt": ("a\n", "100644")}
    after = {"m.sh": ("a\n", "100755"), "o.sh": ("", "100644"), "g.txt": ("a\n", "100644")}
    gives(run, text, tree, ([hunks()], after), ([only("m.sh")], after))


@case(turn=6)
def nothing_else_stays(run: Runner) -> None:
    text = git("n.txt", "n.txt", None, "1\n", "new file mode 100644", "index 0000000..d00491f")
    text += git("d.txt", "d.txt", "1\n", None, "deleted file mode 100644", "index d00491f..0000000")
    text += git("g.txt", "g.txt", "a\n", "b\n", INDEX)
    text += git("old.txt", "new.txt", OLD, NEW, *MOVED)
    for step in (hunks(), only("g.txt")):
        equal([f[0][0] for f in play(run, text, step)[2]], ["new.txt"], str(step))


# --- as before -----------------------------------------------------------------------------------


GIT = git("old.txt", "new.txt", OLD, NEW, *MOVED)
HG = plain(
    "f.txt", "a\nb", "a\nc\n", head="diff -r 44299fd3d1a8 f.txt\n--- a/f.txt\tSun Oct 13\n+++ b/f.txt\tMon Oct 14\n"
)
SVN = plain("f.txt", OLD, NEW, head=f"Index: f.txt\n{'=' * 67}\n--- f.txt\t(revision 1)\n+++ f.txt\t(working copy)\n")
PURE = git("p.txt", "q.txt", "", "", "similarity index 100%", "rename from p.txt", "rename to q.txt")
MODE = git("o.sh", "o.sh", "", "", "old mode 100755", "new mode 100644")


@case(turn=0, kind="p2p")
def texts_come_back(run: Runner) -> None:
    for text in (HG, SVN, GIT, GIT + SVN):
        found = run.python("from unidiff import PatchSet\nemit(str(PatchSet(data)))", data=text)
        equal(found, re.sub(r"@@ -(\d+) \+(\d+) @@", r"@@ -\1,1 +\2,1 @@", text))


@case(turn=0, kind="p2p")
def files_without_hunks_come_back(run: Runner) -> None:
    binary = "diff --git a/i.png b/i.png\nindex 123..456 100644\nBinary files a/i.png and b/i.png differ\n"
    for text in (PURE, MODE + PURE, binary, PURE + GIT + binary):
        equal(run.python("from unidiff import PatchSet\nemit(str(PatchSet(data)))", data=text), text)


@case(turn=0, kind="p2p")
def facts_of_a_patch(run: Runner) -> None:
    code = """
from unidiff import PatchSet
patch = PatchSet(data)
emit([[f.path, f.added, f.removed, f.is_added_file, f.is_removed_file, f.is_rename, f.source_mode, f.target_mode,
       [[h.source_start, h.source_length, h.target_start, h.target_length] for h in f]] for f in patch]
     + [len(patch.added_files), len(patch.removed_files), len(patch.modified_files), patch.added, patch.removed])
"""
    new = git("n.sh", "n.sh", None, "1\n", "new file mode 100755", "index 0000000..d00491f")
    lines = [[1, 5, 1, 6], [12, 7, 13, 6], [25, 6, 25, 6]]
    wanted = [
        ["n.sh", 1, 0, True, False, False, None, "100755", [[0, 0, 1, 1]]],
        ["new.txt", 3, 3, False, False, True, "100644", "100644", lines],
        ["q.txt", 0, 0, False, False, True, None, None, []],
    ]
    found = run.python(code, data=new + GIT + PURE)
    equal(found[:3], wanted)
    equal(found[3:], [1, 0, 2, 4, 3])


@case(turn=0, kind="p2p")
def lines_of_a_patch(run: Runner) -> None:
    code = """
from unidiff import PatchSet
emit([[l.line_type, l.value, l.source_line_no, l.target_line_no, l.diff_line_no] for l in PatchSet(data)[0][0]])
"""
    wanted = [
        [" ", "a\n", 1, 1, 5],
        ["-", "b\n", 2, None, 6],
        ["\\", " No newline at end of file\n", None, None, 7],
        ["+", "c\n", None, 2, 8],
    ]
    equal(run.python(code, data=HG), wanted)


@case(turn=0, kind="p2p")
def what_is_no_patch(run: Runner) -> None:
    code = """
from unidiff import PatchSet
out = []
for text, options in data:
    try:
        out.append([len(PatchSet(text, **options)), PatchSet(text, **options).added])
    except Exception as error:
        out.append(type(error).__name__)
emit(out)
"""
    broken = THREE.replace("@@ -1,5 +1,6 @@", "@@ -1,5 +1,9 @@")
    asked = [["", {}], ["hello\n", {}], [THREE, {"metadata_only": True}], [broken, {}], ["@@ -1 +1 @@\n-a\n+b\n", {}]]
    equal(run.python(code, data=asked), [[0, 0], [0, 0], [1, 3], "UnidiffParseError", "UnidiffParseError"])
