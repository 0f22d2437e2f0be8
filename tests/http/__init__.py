"""The HTTP contract, sentence by sentence, over the application in one process."""
