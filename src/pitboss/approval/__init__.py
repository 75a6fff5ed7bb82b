"""What was approved, as a record, and what a change to it does."""

from pitboss.approval.changes import Change, Comparison
from pitboss.approval.compare import compared
from pitboss.approval.file import read_approval, write_approval
from pitboss.approval.moved import Move
from pitboss.approval.offers import Offered, offers_of
from pitboss.approval.record import Approval, approval_of

__all__ = [
    "Approval", "Change", "Comparison", "Move", "Offered", "approval_of", "compared", "offers_of", "read_approval",
    "write_approval",
]  # fmt: skip
