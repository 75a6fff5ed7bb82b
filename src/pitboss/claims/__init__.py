"""Claims: what a document says of a game, and whether it is true."""
