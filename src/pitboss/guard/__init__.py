"""Protection: what a card counter or a glimpse of a card is worth."""

from pitboss.guard.plan import Plan
from pitboss.guard.records import Protected, Protection
from pitboss.guard.study import protect

__all__ = ["Plan", "Protected", "Protection", "protect"]
