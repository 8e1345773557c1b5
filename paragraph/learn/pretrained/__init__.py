"""Pretrained transformers: found, loaded, and asked for vectors; what they answer is kept on disk."""
