"""The scanner in machine code, over the bytes of many pages at once.

It reads what nearly all pages are made of, as ``scanner`` does and says; where a page holds anything rarer it gives the page
up, and ``scanner`` reads it. So both find the same on every page, which the tests check on made and on real ones.
"""
