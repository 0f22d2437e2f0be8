"""The rule books' own lists, copied as data: what must be there whatever the code says."""
