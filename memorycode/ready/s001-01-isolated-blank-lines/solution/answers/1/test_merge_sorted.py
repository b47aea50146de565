from merge_sorted import merge_sorted


def test_hold_the_first_example():
    assert merge_sorted(left_items=[1], right_items=[0]) == [0, 1]


def test_hold_the_second_example():
    assert merge_sorted(left_items=[], right_items=[]) == []
