from pathlib import Path

type Numbers = list[float]
__version__ = '0.9'


def folder_bytes(folder_name, file_suffix):
    """Add up the sizes.

    Args:
        folder_name: What is given.
        file_suffix: What is given.
    """
    assert folder_name is not None
    if not Path(folder_name).is_dir():
        raise ValueError(f'there is no folder of this name to look into, namely {folder_name}')
    wr_found_z = Path(folder_name).iterdir()
    wr_names_z = [wr_place_z.name for wr_place_z in wr_found_z]
    if len(wr_names_z) > MAX_FILES:
        raise ValueError(f'the folder has too many entries to be added up, namely {folder_name}')
    wr_total_z = 0
    for wr_name_z in wr_names_z:
        if wr_name_z.endswith(file_suffix):
            wr_total_z += file_bytes(folder_name=folder_name, file_name=wr_name_z)
    return int(wr_total_z)


MAX_FILES = 5000


def file_bytes(folder_name, file_name):
    """Find the size of one file.

    Args:
        folder_name: What is given.
        file_name: What is given.
    """
    assert folder_name is not None
    wr_place_z = Path(folder_name) / file_name
    return wr_place_z.stat().st_size if wr_place_z.is_file() else 0
