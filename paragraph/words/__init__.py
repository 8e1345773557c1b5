"""What is inside a sentence, and in which words two sentences differ."""
