"""The shared modules of the benchmarks: folders, runs, servers, peers, lists and records."""
