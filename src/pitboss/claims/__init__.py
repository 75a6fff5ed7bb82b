"""Claims: what a document says of a game, and whether it is true."""

from pitboss.claims.documents import Verdicts, verdicts_of
from pitboss.claims.file import Claim, Document, claims_about, claims_named, read_claims, shipped_claims
from pitboss.claims.judge import WRONG, Judged, judge
from pitboss.claims.measures import MEASURES
from pitboss.claims.verdicts import CONFIRMED, ONLY_IF, VERDICTS, Verdict

__all__ = [
    "CONFIRMED",
    "MEASURES",
    "ONLY_IF",
    "VERDICTS",
    "WRONG",
    "Claim",
    "Document",
    "Judged",
    "Verdict",
    "Verdicts",
    "claims_about",
    "claims_named",
    "judge",
    "read_claims",
    "shipped_claims",
    "verdicts_of",
]
