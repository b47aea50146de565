"""``python -m swe_together``."""

from swe_together.cli import main

raise SystemExit(main())
