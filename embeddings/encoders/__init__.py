"""Encoders of text: transformers from a folder or the Hugging Face hub, and a cache of their vectors."""
