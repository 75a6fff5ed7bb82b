"""The drill: rounds that computer players play and the user deals. Every move of his is held against the events of the
live round, marked, and counted; nothing here knows a rule of a game, and nothing is printed or read."""

from pitboss.train.drill import Drill, Question
from pitboss.train.dues import Due
from pitboss.train.marks import Mark
from pitboss.train.moves import Move, move_of
from pitboss.train.score import Score, Slip

__all__ = ["Drill", "Due", "Mark", "Move", "Question", "Score", "Slip", "move_of"]
