"""Fixtures of the adapter's tests."""

from tests.support.containers import instruments_image as instruments_image
from tests.support.deltas import box as box
from tests.support.state_pair import pair as pair
