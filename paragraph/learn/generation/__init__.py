"""Paraphrases made to order: from a cluster, by substitution, by a model that writes."""
