"""Which label of a contradiction is wrong, and which stated labels are suspect."""
