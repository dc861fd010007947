"""Hashtags as vectors: tweets are cleaned and encoded, and a hashtag lies in the middle of its tweets (BERTag of #REval)."""
