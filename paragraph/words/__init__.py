"""What is inside a sentence, and the words in which two sentences differ."""
