"""What a place asks of a game before it may be dealt: limits, filings and postings, as data with its sources."""

from pitboss.jurisdictions.file import jurisdiction_named, known_jurisdictions, read_jurisdiction
from pitboss.jurisdictions.record import SECTIONS, Amounts, Asked, Fact, Jurisdiction, Payouts, Posted, Source

__all__ = [
    "SECTIONS", "Amounts", "Asked", "Fact", "Jurisdiction", "Payouts", "Posted", "Source", "jurisdiction_named",
    "known_jurisdictions", "read_jurisdiction",
]  # fmt: skip
