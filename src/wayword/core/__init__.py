"""What every room stands on: errors, progress, atomic files, text normalisation, stemming and executors."""
