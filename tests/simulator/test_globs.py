import pytest

from swe_together.simulator import compile_glob

MATCHING = [
    ("*", "a"),
    ("*", ".hidden"),
    ("*.py", "a.py"),
    ("*.py", ".py"),
    ("src/*", "src/a"),
    ("src/**", "src/a"),
    ("src/**", "src/a/b/.c"),
    ("**", "a/b"),
    ("**/*.py", "a.py"),
    ("**/*.py", "x/y/a.py"),
    ("a/**/b", "a/b"),
    ("a/**/b", "a/x/y/b"),
    ("**/tests/**", "tests/a"),
    ("**/tests/**", "x/tests/y/a"),
    ("a?c", "abc"),
    ("a?c", "aéc"),
    ("[a-c].txt", "b.txt"),
    ("[!a-c].txt", "d.txt"),
    ("[^a]", "b"),
    ("[]]", "]"),
    ("[-a]", "-"),
    ("[a-]", "-"),
    ("[.*^\\]", "^"),
    ("*.{ts,tsx}", "a.tsx"),
    ("{a,b*}/c", "bb/c"),
    ("a\\*b", "a*b"),
    ("pages/\\[id\\].tsx", "pages/[id].tsx"),
    ("a.b", "a.b"),
    ("a+(b)|c$", "a+(b)|c$"),
    ("ä/*", "ä/ü"),
    ("*", "new\nline"),
    ("a/**", "a/new\nline"),
    ("}", "}"),
    (",", ","),
]

OTHER = [
    ("*", "a/b"),
    ("*.py", "a/b.py"),
    ("*.py", "a.pyc"),
    ("src/**", "src"),
    ("src/**", "src2/a"),
    ("a/**/b", "ab"),
    ("a/**/b", "a/xb"),
    ("a?c", "a/c"),
    ("a.b", "axb"),
    ("[!a]", "/"),
    ("[!a-c].txt", "b.txt"),
    ("*.{ts,tsx}", "a.t"),
    ("a\\*b", "axb"),
    ("A", "a"),
    ("a", "a\n"),
]

WRONG = [
    ("/a", "leading slash"),
    ("a/", "empty folders"),
    ("a//b", "empty folders"),
    ("./a", "can't match"),
    ("../a", "can't match"),
    ("a**", "stand alone"),
    ("**.py", "stand alone"),
    ("a[b", "no ]"),
    ("a[]", "no ]"),
    ("[z-a]", "empty"),
    ("[.-9]", "span /"),
    ("a{b", "no }"),
    ("{a,{b,c}}", "no } of its own"),
    ("{a,[}]", "no }"),
    ("a\\", "backslash"),
]


@pytest.mark.parametrize(("glob", "path"), MATCHING)
def test_matches(glob: str, path: str) -> None:
    assert compile_glob(glob).matches(path)


@pytest.mark.parametrize(("glob", "path"), OTHER)
def test_does_not_match(glob: str, path: str) -> None:
    assert not compile_glob(glob).matches(path)


@pytest.mark.parametrize(("glob", "why"), WRONG)
def test_refused(glob: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        compile_glob(glob)
