def roman_number1(whole_number_h, lower_case_h):
    if not 1 <= whole_number_h <= MAX_NUMBER:
        raise ValueError('Roman numerals cannot be written for the whole number ' f"{whole_number_h}")
    x_left = whole_number_h
    x_pieces = []
    for x_value, x_sign in numeral_steps1(with_pairs_h=True):
        while x_left >= x_value:
            x_pieces.append(x_sign)
            x_left -= x_value
    x_text = "".join(x_pieces)
    return x_text.lower() if lower_case_h else x_text


MAX_NUMBER = 3999


def numeral_steps1(with_pairs_h):
    x_values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
    x_signs = "M CM D CD C XC L XL X IX V IV I".split()
    x_steps = list(zip(x_values, x_signs))
    return x_steps if with_pairs_h else x_steps[::2]
