// Names of swift-service-lifecycle, which the tests cannot download.

/// A replacement for the protocol of swift-service-lifecycle with this name.
protocol Service: Sendable {
    func run() async throws
}

/// A replacement for the function of swift-service-lifecycle with this name.
func cancelWhenGracefulShutdown(
    _ operation: @Sendable @escaping () async throws -> Void
) async rethrows {
    try await operation()
}
