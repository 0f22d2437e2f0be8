"""The rules core: pure functions on the standard library. No clock, no chance, no input or output, no JSON."""
