"""Protection: what a card counter or a glimpse of a card is worth."""

from pitboss.protect.plan import Plan
from pitboss.protect.records import Protected, Protection
from pitboss.protect.study import protect

__all__ = ["Plan", "Protected", "Protection", "protect"]
