from roman_number import roman_number


def test_hold_the_first_example():
    assert roman_number(whole_number=14, lower_case=False) == "XIV"


def test_hold_the_second_example():
    assert roman_number(whole_number=4, lower_case=True) == "iv"
