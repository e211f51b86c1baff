"""Repetition: the real engine and the compiled kernel, run many times over."""
