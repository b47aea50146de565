from grade_book_impl import Grade_Book


def test_hold_the_first_example():
    assert Grade_Book("maths").mean_grade(student_name="ann") is None


def test_hold_the_second_example():
    assert Grade_Book("maths") is not None
