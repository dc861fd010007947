"""The rules of the papers written down once more, slowly and without the product's code, to compare it with."""
