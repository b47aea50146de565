"""Times as recording programs write them."""

from datetime import UTC, datetime


def parse_time(value: object) -> datetime | None:
    """An aware time in UTC of an ISO text, of seconds or of milliseconds since 1970; None of anything else."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            # Milliseconds since about 1973; seconds would lie beyond the year 5000.
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
