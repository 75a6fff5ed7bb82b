"""A table whose dealer is the user: every card, take and pay is marked against the rules."""
