"""The sheet of a house: all that a dealer, a floor and a reviewer need to read of a game, as one record."""

from pitboss.sheets.examples import Example
from pitboss.sheets.record import PaysLine, Sheet, WagerLine, sheet_of

__all__ = ["Example", "PaysLine", "Sheet", "WagerLine", "sheet_of"]
