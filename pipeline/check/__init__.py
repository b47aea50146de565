"""``swe-together check``: proves in real containers that a task is sound."""
