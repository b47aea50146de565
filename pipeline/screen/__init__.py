"""Whether a recorded session can become a task, as a model sees it. ``docs/pipeline.md`` explains the prompt."""

from swe_together.pipeline.screen._prompt import Assessment, Obstacle, screen_question
from swe_together.pipeline.screen._screen import (
    Answers,
    Failed,
    Page,
    Screening,
    page_of,
    read_screened,
    screen,
    screen_page,
)
from swe_together.pipeline.screen._summary import SUMMARY_CHARS, summary_of

__all__ = [
    "SUMMARY_CHARS",
    "Answers",
    "Assessment",
    "Failed",
    "Obstacle",
    "Page",
    "Screening",
    "page_of",
    "read_screened",
    "screen",
    "screen_page",
    "screen_question",
    "summary_of",
]
