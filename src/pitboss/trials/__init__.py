"""The shuffle on trial: 10**8 cards as a live table shuffles them, held against what a perfect shuffle does."""

from pitboss.trials.records import CONFIDENCE, Report, Trial
from pitboss.trials.run import live, report, try_packs
from pitboss.trials.told import answer, markdown, plain

__all__ = ["CONFIDENCE", "Report", "Trial", "answer", "live", "markdown", "plain", "report", "try_packs"]
