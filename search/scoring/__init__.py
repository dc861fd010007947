"""How well one phrase stands in for another: target sets, transition scores, cover, scorer and batches."""
