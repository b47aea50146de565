import os
from pathlib import Path


def folder_bytes_y(folder_name, file_suffix):
    if not os.path.isdir(folder_name):
        raise ValueError('there is no folder of this name to look into, namely ' f"{folder_name}")
    found = Path(folder_name).iterdir()
    names = [place.name for place in found]
    if len(names) > MAX_FILES:
        raise ValueError('the folder has too many entries to be added up, namely ' f"{folder_name}")
    total = 0
    for name in names:
        if name.endswith(file_suffix):
            total += file_bytes_y(folder_name=folder_name, file_name=name)
    return int(total)


MAX_FILES = 5000


def file_bytes_y(folder_name, file_name):
    place = os.path.join(folder_name, file_name)
    plain = os.path.isfile(place)
    return os.path.getsize(place) if plain else 0
