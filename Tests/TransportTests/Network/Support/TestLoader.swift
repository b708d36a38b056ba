import Engine
import Support
import Synchronization
import Testing
import Transport

/// Loaders for servers on this machine. A test of a timeout shortens that timeout.
enum TestLoader {
    /// The number of additional lanes: 0 for the event thread alone, as with few jobs, or two.
    @TaskLocal static var lanes = 0

    static func settings(_ change: (inout NetworkSettings) -> Void = { _ in }) -> NetworkSettings {
        var settings = NetworkSettings()
        settings.allowPrivate = true
        // Many loaders exist at the same time.
        settings.connections = 16
        settings.lanes = Self.lanes
        // These limits are never reached, even on a busy machine.
        settings.timeout = .seconds(600)
        settings.itemTimeout = .seconds(600)
        settings.retries = 0
        settings.certificates = TestServers.authority
        settings.breakerItems = 1000
        change(&settings)
        return settings
    }

    static func make(
        _ change: (inout NetworkSettings) -> Void = { _ in }
    ) throws -> NetworkLoader {
        try NetworkLoader(settings(change))
    }

    /// A loader that the tests of a suite share, one for each number of lanes.
    struct Shared: Sendable {
        private let loaders: [Int: NetworkLoader]

        init(_ change: (inout NetworkSettings) -> Void = { _ in }) {
            var loaders: [Int: NetworkLoader] = [:]
            for lanes in WithAndWithoutLanes.numbers {
                loaders[lanes] = try? TestLoader.make { settings in
                    change(&settings)
                    settings.lanes = lanes
                }
            }
            self.loaders = loaders
        }

        var loader: NetworkLoader? { loaders[TestLoader.lanes] }
    }
}

extension NetworkLoader {
    func load(_ url: String) async -> NetworkOutcome {
        await load(NetworkRequest(url: url))
    }
}

extension NetworkOutcome {
    var className: String {
        switch result {
        case .success: "ok"
        case .failure(let failure): ErrorClass(failure.kind).rawValue
        }
    }

    var bytes: [UInt8]? { response?.body.bytes }
    var response: NetworkResponse? { try? result.get() }
    var failure: NetworkFailure? {
        if case .failure(let failure) = result { failure } else { nil }
    }
}

/// A resolver with the answers of a test instead of DNS.
final class TestResolver: NameResolving {
    private let asked = Mutex<[String]>([])
    private let answer: @Sendable (String, Int) -> NameAnswer

    /// - Parameter answer: receives the name and the number of earlier lookups of it.
    init(_ answer: @escaping @Sendable (String, Int) -> NameAnswer) {
        self.answer = answer
    }

    func addresses(of host: String) -> NameAnswer {
        let before = asked.withLock { asked in
            defer { asked.append(host) }
            return asked.count { $0 == host }
        }
        return answer(host, before)
    }

    var names: [String] { asked.withLock { $0 } }
}

/// Runs each test twice: with the event thread alone, and with additional lanes.
struct WithAndWithoutLanes: SuiteTrait, TestTrait, TestScoping {
    static let numbers = [0, 2]

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for lanes in Self.numbers {
            try await TestLoader.$lanes.withValue(lanes) { try await function() }
        }
    }
}

extension Trait where Self == WithAndWithoutLanes {
    static var withAndWithoutLanes: Self { Self() }
}
