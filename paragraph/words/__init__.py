"""Words of a sentence, and the words in which two sentences differ."""
