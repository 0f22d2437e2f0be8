"""Second readings of the rule books: what is legal and what it scores, written again from the printed tables alone."""
