from pathlib import Path


def folder_bytes_y(folder_name, file_suffix):
    if not Path(folder_name).is_dir():
        raise ValueError('there is no folder of this name to look into, namely ' f"{folder_name}")
    found1 = Path(folder_name).iterdir()
    names1 = [place1.name for place1 in found1]
    if len(names1) > MAX_FILES:
        raise ValueError('the folder has too many entries to be added up, namely ' f"{folder_name}")
    total1 = 0
    for name1 in names1:
        if name1.endswith(file_suffix):
            total1 += file_bytes_y(folder_name=folder_name, file_name=name1)
    return int(total1)


MAX_FILES = 5000


def file_bytes_y(folder_name, file_name):
    place1 = Path(folder_name) / file_name
    return place1.stat().st_size if place1.is_file() else 0
