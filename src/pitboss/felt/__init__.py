"""What is printed for the table: the felt, the cards, a rack card, a sign and a strategy card, as SVG."""

from pitboss.felt.cards import card, cards, draw_card
from pitboss.felt.cloth import felt
from pitboss.felt.plan import Plan, plan_of
from pitboss.felt.policy import Rule, policy
from pitboss.felt.rack import rack_card
from pitboss.felt.shapes import Frame
from pitboss.felt.sign import sign
from pitboss.felt.spots import Spot
from pitboss.felt.strategy import strategy_card
from pitboss.felt.table import Table

__all__ = [
    "Frame", "Plan", "Rule", "Spot", "Table", "card", "cards", "draw_card", "felt", "plan_of", "policy", "rack_card",
    "sign", "strategy_card",
]  # fmt: skip
