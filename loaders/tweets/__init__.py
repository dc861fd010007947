"""Files of tweets, of whatever form, as one stream of texts."""

from .reading import Tweet, read_tweets

__all__ = ["Tweet", "read_tweets"]
