"""Tests with real agent command lines in real containers."""
