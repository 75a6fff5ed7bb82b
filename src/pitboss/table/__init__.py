"""The live table: one round from a shoe and a list of choices, by replay; what each seat may see of it; and the
session, which is a table for as long as people sit at it."""

from pitboss.table.bots import Player, first_choice, least_bets
from pitboss.table.events import Event
from pitboss.table.live import Round, Turn
from pitboss.table.log import log_of, replay
from pitboss.table.seat import Seat
from pitboss.table.session import Result, Session, table
from pitboss.table.shoe import Shoe
from pitboss.table.view import BACK, HandView, SeatView, View, events_for, view_of

__all__ = [
    "BACK", "Event", "HandView", "Player", "Result", "Round", "Seat", "SeatView", "Session", "Shoe", "Turn", "View",
    "events_for", "first_choice", "least_bets", "log_of", "replay", "table", "view_of",
]  # fmt: skip
