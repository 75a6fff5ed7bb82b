"""Charts for a slide: PNG or SVG, one look, drawn from records that say where their figures come from."""

from pitboss.plot.card import card
from pitboss.plot.heat import chart_map, strategy_map
from pitboss.plot.lines import edges
from pitboss.plot.night import night
from pitboss.plot.returns import returns
from pitboss.plot.style import plot_file

__all__ = ["card", "chart_map", "edges", "night", "plot_file", "returns", "strategy_map"]
