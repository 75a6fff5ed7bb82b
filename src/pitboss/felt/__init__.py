"""What is printed for the table: the felt, the cards, a rack card, a sign and a strategy card, as SVG."""
