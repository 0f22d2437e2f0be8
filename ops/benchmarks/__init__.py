"""Measures how fast the product is: ratios in one run, so that a slow or busy machine changes them little."""
