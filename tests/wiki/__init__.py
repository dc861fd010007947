"""Wikipedia's rules written down once more, slowly and without the product's code: what the product is compared with."""
