"""Design: the pay tables, and the dealer's policy, that give the house what it wants."""

from pitboss.design.asked import Free, Grid, Target, grid, usual_grid
from pitboss.design.policy import policy_search
from pitboss.design.records import Designed, PolicySearch
from pitboss.design.search import design

__all__ = ["Designed", "Free", "Grid", "PolicySearch", "Target", "design", "grid", "policy_search", "usual_grid"]
