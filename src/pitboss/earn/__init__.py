"""The floor: what a table earns, and how far luck can take it from that."""

from pitboss.earn.earnings import earn
from pitboss.earn.plan import Plan
from pitboss.earn.records import Actual, Floor

__all__ = ["Actual", "Floor", "Plan", "earn"]
