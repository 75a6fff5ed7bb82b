"""Design: the pay tables, and the dealer's policy, that give the house what it wants."""
