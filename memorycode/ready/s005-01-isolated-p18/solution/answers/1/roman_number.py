def roman_number(whole_number, lower_case):
    if not 1 <= whole_number <= MAX_NUMBER:
        raise ValueError('Roman numerals cannot be written for the whole number ' f"{whole_number}")
    left = whole_number
    pieces = []
    for value, sign in numeral_steps(with_pairs=True):
        while left >= value:
            pieces.append(sign)
            left -= value
    text = "".join(pieces)
    return text.lower() if lower_case else text


MAX_NUMBER = 3999


def numeral_steps(with_pairs):
    values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
    signs = "M CM D CD C XC L XL X IX V IV I".split()
    steps = list(zip(values, signs))
    return steps if with_pairs else steps[::2]
