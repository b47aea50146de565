import os
from pathlib import Path


def folder_bytes(folder_name, file_suffix):
    if not os.path.isdir(folder_name):
        raise ValueError('there is no folder of this name to look into, namely ' f"{folder_name}")
    wr_found = Path(folder_name).iterdir()
    wr_names = [wr_place.name for wr_place in wr_found]
    if len(wr_names) > MAX_FILES:
        raise ValueError('the folder has too many entries to be added up, namely ' f"{folder_name}")
    wr_total = 0
    for wr_name in wr_names:
        if wr_name.endswith(file_suffix):
            wr_total += file_bytes(folder_name=folder_name, file_name=wr_name)
    return int(wr_total)


MAX_FILES = 5000


def file_bytes(folder_name, file_name):
    wr_place = os.path.join(folder_name, file_name)
    wr_plain = os.path.isfile(wr_place)
    return os.path.getsize(wr_place) if wr_plain else 0
