"""Vectors of hashtags: tweets are cleaned and encoded, and a hashtag is the centroid of its tweets (BERTag of #REval)."""
