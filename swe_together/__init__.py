"""swe-together: coding agents measured over whole user sessions, on stock Harbor."""

__version__ = "0.1.0"
