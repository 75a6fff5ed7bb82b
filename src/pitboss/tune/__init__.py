"""Design: the pay tables, and the dealer's policy, that give the house what it wants."""

from pitboss.tune.asked import Free, Grid, Target, grid, usual_grid
from pitboss.tune.policy import policy_search
from pitboss.tune.records import Designed, PolicySearch
from pitboss.tune.search import design

__all__ = ["Designed", "Free", "Grid", "PolicySearch", "Target", "design", "grid", "policy_search", "usual_grid"]
