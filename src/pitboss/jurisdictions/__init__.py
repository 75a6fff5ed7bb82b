"""What a place asks of a game before it may be dealt: limits, filings and postings, as data with its sources."""
