"""Whole jobs that something befalls: what is injected, at seeded random moments, and what must hold afterwards."""
