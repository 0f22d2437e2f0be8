"""Tests of the rules core: the rule books by clause and example, and the laws that hold for every game."""
