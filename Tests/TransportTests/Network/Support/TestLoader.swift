import Engine
import Support
import Synchronization
import Transport

/// Loaders with short patience, for servers on this machine.
enum TestLoader {
    static func settings(_ change: (inout NetworkSettings) -> Void = { _ in }) -> NetworkSettings {
        var settings = NetworkSettings()
        settings.allowPrivate = true
        // Many loaders live side by side here.
        settings.connections = 16
        settings.timeout = .milliseconds(500)
        settings.itemTimeout = .seconds(8)
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
}

extension NetworkLoader {
    func load(_ url: String) async -> NetworkOutcome {
        await load(NetworkRequest(url: url))
    }
}

extension NetworkOutcome {
    /// The class of the failure, or `ok`.
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

/// Names as a test says, instead of DNS.
final class TestResolver: NameResolving {
    private let asked = Mutex<[String]>([])
    private let answer: @Sendable (String, Int) -> NameAnswer

    /// `answer` gets the name and how often it was asked for before.
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
