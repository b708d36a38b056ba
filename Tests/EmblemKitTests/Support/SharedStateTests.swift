import Testing

/// Tests that change what a whole program shares, one after the other.
@Suite("What all components share", .serialized)
enum SharedStateTests {}
