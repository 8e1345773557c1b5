"""A review that several people share, each in a browser of their own."""
