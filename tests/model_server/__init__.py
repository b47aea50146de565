"""Tests of the fake model server."""
