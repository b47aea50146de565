from folder_bytes_impl import file_bytes, folder_bytes


def test_hold_the_first_example():
    assert folder_bytes(folder_name=".", file_suffix=".none") == 0


def test_hold_the_second_example():
    assert file_bytes(folder_name=".", file_name="none") == 0
