"""The games: one file of rules each."""
