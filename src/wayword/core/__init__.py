"""Shared foundations: errors, progress, atomic files, text normalisation, stemming and executors."""
