"""In and out: how commands read files, options and stores, and print results."""
