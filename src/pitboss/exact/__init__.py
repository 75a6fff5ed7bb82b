"""Exact analysis: backward induction over what the player can see, in whole numbers and fractions."""

from pitboss.exact.advice import advice
from pitboss.exact.analysis import Solver
from pitboss.exact.answer import Parts, analyze
from pitboss.exact.book import Book, decided_wager
from pitboss.exact.induction import Induction, TooLarge
from pitboss.exact.open import OpenGame

__all__ = ["Book", "Induction", "OpenGame", "Parts", "Solver", "TooLarge", "advice", "analyze", "decided_wager"]
