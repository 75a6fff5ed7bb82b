"""Exact analysis: a study of a house, the plan of its kernels, and what they count in whole numbers and fractions."""

from pitboss.exact.kernels import KERNELS, Advised, Kernel, Task, best
from pitboss.exact.plan import Offer, Plan, Step, TooLarge
from pitboss.exact.solver import Solver
from pitboss.exact.study import Study, analyze

__all__ = [
    "KERNELS", "Advised", "Kernel", "Offer", "Plan", "Solver", "Step", "Study", "Task", "TooLarge", "analyze", "best",
]  # fmt: skip
