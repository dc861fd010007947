"""What all rooms share: errors, progress, atomic files, text normalisation, stemming and executors."""
