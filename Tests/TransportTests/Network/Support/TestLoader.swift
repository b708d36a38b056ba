import Support
import Testing
import Transport

/// Loaders for servers on this machine. A test of a timeout shortens that timeout.
enum TestLoader {
    static func settings(_ change: (inout NetworkSettings) -> Void = { _ in }) -> NetworkSettings {
        var settings = NetworkSettings()
        settings.allowPrivate = true
        // Many loaders exist at the same time.
        settings.connections = 16
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
    ) -> NetworkLoader {
        NetworkLoader(settings(change))
    }

    /// Returns entries that give every name the address of this machine, for these ports.
    static func everyName(_ ports: Int...) -> [String] { ports.map { "*:\($0):127.0.0.1" } }
}

extension NetworkLoader {
    func load(_ url: String) async -> NetworkOutcome {
        await load(NetworkRequest(url: url))
    }
}

extension ItemFailure {
    /// The name in a manifest.
    var className: String { errorClass.rawValue }
}

extension NetworkOutcome {
    var className: String { failure?.className ?? "ok" }
    var bytes: [UInt8]? { response?.body.bytes }
    var response: NetworkResponse? { try? result.get() }
    var failure: ItemFailure? {
        if case .failure(let failure) = result { failure } else { nil }
    }
}
