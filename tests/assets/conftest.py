"""Fixtures of the assets' tests."""

from tests.support.containers import instruments_image as instruments_image
from tests.support.deltas import box as box
