"""Claims: what a document says of a game, and whether it is true."""

from pitboss.claims.file import Claim, Document, read_claims, shipped_claims
from pitboss.claims.judge import CONTRADICTED, VERDICTS, Judged, Verdict, judge
from pitboss.claims.measures import MEASURES

__all__ = [
    "CONTRADICTED",
    "MEASURES",
    "VERDICTS",
    "Claim",
    "Document",
    "Judged",
    "Verdict",
    "judge",
    "read_claims",
    "shipped_claims",
]
