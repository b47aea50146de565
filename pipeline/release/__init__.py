"""The paper's release: its 109 tasks as a dataset, and what its task directories lack to be tasks of ours."""

from swe_together.pipeline.release._convert import convert
from swe_together.pipeline.release._dataset import ADDRESS, COMMIT, DATASET, VERSION, dataset_entry
from swe_together.pipeline.release._find import find_released
from swe_together.pipeline.release._lacks import KINDS, Lacks, examine_released

__all__ = [
    "ADDRESS",
    "COMMIT",
    "DATASET",
    "KINDS",
    "VERSION",
    "Lacks",
    "convert",
    "dataset_entry",
    "examine_released",
    "find_released",
]
