"""Simulation: the same game file by the billion rounds, with standard errors and a comparison with the exact result."""

from pitboss.deal.checkpoint import check_place
from pitboss.deal.run import CHUNK, Progress, Run, Stopped, simulate
from pitboss.deal.statistics import chi_square, chi_square_tail, normal_tail

__all__ = [
    "CHUNK",
    "Progress",
    "Run",
    "Stopped",
    "check_place",
    "chi_square",
    "chi_square_tail",
    "normal_tail",
    "simulate",
]
