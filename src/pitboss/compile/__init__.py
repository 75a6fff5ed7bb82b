"""From the graph to machine code: one fused loop per game, and a numpy evaluation of the graph as its yardstick."""

from pitboss.compile.count import CountJob, count_ways
from pitboss.compile.keys import Keys
from pitboss.compile.machine import Simulator, WalkError, dealt_cells, dealt_rounds, pot_counts, simulator, walk_deals
from pitboss.compile.objects import CompileError
from pitboss.compile.reference import reference_cells

__all__ = [
    "CompileError", "CountJob", "Keys", "Simulator", "WalkError", "count_ways", "dealt_cells", "dealt_rounds",
    "pot_counts", "reference_cells", "simulator", "walk_deals",
]  # fmt: skip
