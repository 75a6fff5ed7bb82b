"""The version, where everyone can read it without opening the front door."""

__version__ = "0.9.0"
