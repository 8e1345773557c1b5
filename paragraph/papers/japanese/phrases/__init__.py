"""One sentence to shuffle: phrases as boxes, dependencies as arcs above them."""
