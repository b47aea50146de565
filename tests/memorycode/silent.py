"""A writer of nothing, where a test looks at what is told and not at how: prose takes most of the time."""

from swe_together.memorycode._dialogue import Meeting, People


class Silent:
    """Writes a dash for every session."""

    name = "nobody"

    def write(self, people: People, number: int, meeting: Meeting, words: int, dialogue: str) -> str:
        """A dash."""
        return "-"
