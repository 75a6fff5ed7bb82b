"""The attack on pitboss: argument lists, game files and damaged files, each run by itself and judged."""
