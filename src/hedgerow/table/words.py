"""hedgerow.words, under the name it had."""

from hedgerow.words import did_you_mean, listing, quote, quote_path, show

__all__ = ["did_you_mean", "listing", "quote", "quote_path", "show"]
