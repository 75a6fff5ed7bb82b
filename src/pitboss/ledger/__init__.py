"""What settled rounds come to: cells, prices, how wagers come out together, and the records of what was found."""
