"""Poker hands: one definition of every category, and the tables that rank a hand in a few instructions.

The categories are plain numbers; `pitboss.hands.evaluate` and `pitboss.hands.tables` need numpy and are imported by
those who rank hands.
"""
