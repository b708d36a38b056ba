import Synchronization

/// A network loader that is made for the first source that needs it, so that a run over files
/// starts no thread and makes no cache.
package final class LazyNetworkLoader: Sendable {
    package let settings: NetworkSettings
    /// The waits that hosts asked for; they can be read after the loader was closed.
    package let waits = HostWaits()
    private let state = Mutex<State>(.shut)

    private enum State: Sendable {
        case shut
        case open(NetworkLoader)
        case closed

        var loader: NetworkLoader? {
            if case .open(let loader) = self { loader } else { nil }
        }
    }

    package init(_ settings: NetworkSettings) {
        self.settings = settings
    }

    deinit {
        close()
    }

    /// The one loader; throws where it cannot be made, or where the door was closed.
    package func loader() throws(NetworkFailure) -> NetworkLoader {
        let result = state.withLock { state -> Result<NetworkLoader, NetworkFailure> in
            switch state {
            case .open(let loader): return .success(loader)
            case .closed: return .failure(NetworkFailure(.canceled))
            case .shut: break
            }
            do throws(NetworkFailure) {
                let loader = try NetworkLoader(settings, waits: waits)
                state = .open(loader)
                return .success(loader)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// What has been under way for longest, the slowest first.
    package func slowest(_ count: Int) async -> [NetworkFlight] {
        let loader = state.withLock { $0.loader }
        return await loader?.slowest(count) ?? []
    }

    /// Ends what is under way and brings the cache's books up to date.
    package func close() {
        let loader = state.withLock { state -> NetworkLoader? in
            defer { state = .closed }
            return state.loader
        }
        loader?.shutDown()
    }
}
