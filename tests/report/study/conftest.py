"""A browser for the tests that need one."""

from tests.support.chromium import browser

__all__ = ["browser"]
