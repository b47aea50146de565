from folder_bytes import file_bytes_y, folder_bytes_y


def test_hold_the_first_example():
    assert folder_bytes_y(folder_name=".", file_suffix=".none") == 0


def test_hold_the_second_example():
    assert file_bytes_y(folder_name=".", file_name="none") == 0
