from grade_book import Grade_Book


def test_hold_the_first_example():
    assert Grade_Book("maths").mean_grade_a(student_name="ann") is None


def test_hold_the_second_example():
    assert Grade_Book("maths") is not None
