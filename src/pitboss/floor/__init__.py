"""The floor: what a table earns, and how far luck can take it from that."""
