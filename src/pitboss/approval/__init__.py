"""What was approved, as a record, and what a change to it does."""
