"""Protection: what a card counter or a glimpse of a card is worth."""
