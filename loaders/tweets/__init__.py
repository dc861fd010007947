"""Read files of tweets in any common format as one stream of tweets."""

from __future__ import annotations

from .reader import Tweet, read_tweets
from .text_lines import TweetCounts

__all__ = ["Tweet", "TweetCounts", "read_tweets"]
