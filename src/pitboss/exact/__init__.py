"""Exact analysis: backward induction over what the player can see, in whole numbers and fractions."""

from pitboss.exact.analysis import Solver, analyze
from pitboss.exact.induction import Induction

__all__ = ["Induction", "Solver", "analyze"]
