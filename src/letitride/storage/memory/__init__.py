"""Memory: all stores without a disk, for tests and for play that is not kept; gone when the process is."""
