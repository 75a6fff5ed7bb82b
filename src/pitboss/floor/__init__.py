"""The floor: what a table earns, and how far luck can take it from that."""

from pitboss.floor.earnings import earn
from pitboss.floor.plan import Plan
from pitboss.floor.records import Floor

__all__ = ["Floor", "Plan", "earn"]
