"""How well one phrase stands in for another: aspects, transition scores, cover and batches."""
