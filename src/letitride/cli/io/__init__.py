"""In and out: how commands read what a person names and print what they found."""
