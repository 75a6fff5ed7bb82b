"""Who does the work: this thread, all cores, or a cluster. The result is the same to the last digit."""

from pitboss.crew.bench import Bench, Crew, Done, Hand, Letter
from pitboss.crew.here import Here, Threads

__all__ = ["Bench", "Crew", "Done", "Hand", "Here", "Letter", "Threads"]
