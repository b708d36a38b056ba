import Testing

/// Tests that change state that the whole program shares. They run one after the other.
@Suite("State that all components share", .serialized)
enum SharedStateTests {}
