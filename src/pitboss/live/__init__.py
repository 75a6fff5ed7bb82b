"""The live table: one round from a shoe and a list of choices, by replay; what each seat may see of it; and the
session, which is a table for as long as people sit at it."""

from pitboss.live.bots import Player, first_choice, follows, least_bets, usual_bets
from pitboss.live.events import Event
from pitboss.live.evidence import Evidence, evidence
from pitboss.live.journal import Journal
from pitboss.live.live import Round, Turn
from pitboss.live.log import log_of, replay
from pitboss.live.opening import table
from pitboss.live.result import Result
from pitboss.live.seat import Seat
from pitboss.live.session import Session
from pitboss.live.shoe import Shoe
from pitboss.live.view import BACK, HandView, SeatView, View, events_for, view_of

__all__ = [
    "BACK", "Event", "Evidence", "HandView", "Journal", "Player", "Result", "Round", "Seat", "SeatView", "Session",
    "Shoe", "Turn", "View", "events_for", "evidence", "first_choice", "follows", "least_bets", "log_of", "replay",
    "table", "usual_bets", "view_of",
]  # fmt: skip
