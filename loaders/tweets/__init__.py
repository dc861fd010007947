"""Files of tweets, of whatever form, as one stream of texts."""

from .reader import Tweet, read_tweets

__all__ = ["Tweet", "read_tweets"]
