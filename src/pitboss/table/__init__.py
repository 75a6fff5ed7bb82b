"""The live table: one round from a shoe and a list of choices, by replay, with its log."""

from pitboss.table.live import Event, Round, Seat, Turn
from pitboss.table.log import log_of, replay
from pitboss.table.shoe import Shoe

__all__ = ["Event", "Round", "Seat", "Shoe", "Turn", "log_of", "replay"]
