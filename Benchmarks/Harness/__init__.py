"""What the measuring scripts share: places, runs, servers, peers, lists and records."""
