from roman_number import roman_number1


def test_hold_the_first_example():
    assert roman_number1(whole_number_h=14, lower_case_h=False) == "XIV"


def test_hold_the_second_example():
    assert roman_number1(whole_number_h=4, lower_case_h=True) == "iv"
