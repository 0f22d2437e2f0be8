"""Disputes and rulings: over HTTP, in the rules alone, in races and after crashes."""
