import Testing

/// Tests that change what a whole program shares, one after the other.
@Suite("State that all components share", .serialized)
enum SharedStateTests {}
