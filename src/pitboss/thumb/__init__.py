"""Rules of thumb: the shortest lists of plain conditions for decisions that were solved, each with its exact cost."""

from pitboss.thumb.book import LEAST, WAYS, Rulebook, Rung
from pitboss.thumb.rule import MOST, Ladder, Played, Rule, RuleLine, ladders
from pitboss.thumb.solved import Solved

__all__ = ["LEAST", "MOST", "WAYS", "Ladder", "Played", "Rule", "RuleLine", "Rulebook", "Rung", "Solved", "ladders"]
