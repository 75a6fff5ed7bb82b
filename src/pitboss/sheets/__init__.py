"""The sheet of a house: all that a dealer, a floor and a reviewer need to read of a game, as one record."""

from pitboss.sheets.examples import Example as Example
from pitboss.sheets.record import PaysLine as PaysLine
from pitboss.sheets.record import Sheet as Sheet
from pitboss.sheets.record import WagerLine as WagerLine
from pitboss.sheets.record import sheet_of as sheet_of
