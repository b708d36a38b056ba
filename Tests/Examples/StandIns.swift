import Synchronization

// Types with the interfaces of swift-log and swift-metrics, which the tests cannot download.

/// A replacement for the type of swift-log with this name.
struct Logger: Sendable {
    struct Message: ExpressibleByStringInterpolation, Sendable {
        let text: String
        init(stringLiteral text: String) { self.text = text }
    }

    enum MetadataValue: ExpressibleByStringInterpolation, Sendable {
        case string(String)
        init(stringLiteral text: String) { self = .string(text) }
    }

    let label: String

    func warning(_ message: Message, metadata: [String: MetadataValue]) {
        let words = metadata.sorted { $0.key < $1.key }.map { key, value in
            if case .string(let text) = value { "\(key)=\(text)" } else { key }
        }
        print("\(label): \(words.joined(separator: " ")) \(message.text)")
    }
}

/// A replacement for a backend of swift-metrics.
enum Metrics {
    static let counts = Mutex<[String: Int]>([:])
    static let times = Mutex<[String: Duration]>([:])
}

/// A replacement for the type of swift-metrics with this name.
struct Counter {
    let name: String

    init(label: String, dimensions: [(String, String)] = []) {
        name = ([label] + dimensions.map { "\($0)=\($1)" }).joined(separator: " ")
    }

    func increment(by amount: Int = 1) {
        Metrics.counts.withLock { $0[name, default: 0] += amount }
    }
}

/// A replacement for the type of swift-metrics with this name.
struct Timer {
    let label: String

    func record(duration: Duration) {
        Metrics.times.withLock { $0[label, default: .zero] += duration }
    }
}

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
