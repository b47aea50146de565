from citation_index import a_citation_index


def test_hold_the_first_example():
    assert a_citation_index(paper_counts=[3, 0, 6, 1, 5], least_index=0) == 3


def test_hold_the_second_example():
    assert a_citation_index(paper_counts=[], least_index=2) == 2
