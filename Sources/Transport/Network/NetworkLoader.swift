import Digest
import Synchronization
import System

/// Loads sources from the network, with limits per host, retries, and the address rule.
///
/// One event thread decides about all transfers (``TransferLoop``). The calling tasks read and
/// write the cache. Bodies are handed on as bytes; the loader knows nothing about images.
package final class NetworkLoader: Sendable {
    private let settings: NetworkSettings
    private let queue: TransferQueue
    private let ledger: HeldBytes
    private let cache: ResponseCache?
    private let headersDigest: String

    /// Starts the event thread.
    ///
    /// - Throws: If the system has no thread or memory for it, or the cache folder cannot be made.
    package init(
        _ settings: NetworkSettings, waits: HostWaits = HostWaits()
    ) throws(NetworkFailure) {
        guard CurlLibrary.isFound else { throw NetworkFailure(.connect, CurlLibrary.whatIsMissing) }
        guard let (queue, ledger) = TransferQueue.start(settings, waits) else {
            throw NetworkFailure(
                .connect,
                "The system has no thread or memory for the network loader.")
        }
        self.settings = settings
        self.queue = queue
        self.ledger = ledger
        headersDigest = Self.digest(settings.varyingLines())
        do throws(NetworkFailure) {
            cache = try settings.cache.flatMap(Self.open)
        } catch {
            queue.shutDown()
            throw error
        }
    }

    deinit {
        shutDown()
    }

    private static func digest(_ lines: [String]) -> String {
        let text = lines.joined(separator: "\n")
        return text.isEmpty ? "" : SHA256.hash(text).hex
    }

    private static func open(_ settings: CacheSettings) throws(NetworkFailure) -> ResponseCache? {
        do throws(Errno) {
            return try ResponseCache(settings)
        } catch {
            guard let tell = settings.onObstacle else {
                throw NetworkFailure(
                    .offline, "The cache folder \(settings.folder) cannot be used: \(error).")
            }
            tell(error)
            return nil
        }
    }

    /// Ends all loads as canceled and updates the size file of the cache. Later loads are canceled.
    package func shutDown() {
        queue.shutDown()
        cache?.close()
    }

    /// Loads a source. If the calling task is cancelled, the result is `canceled` at once.
    package func load(_ request: NetworkRequest) async -> NetworkOutcome {
        let outcome = await answer(request).outcome
        if let buckets = settings.buckets, outcome.redirects == 0,
            case .failure(let failure) = outcome.result
        {
            return outcome.with(.failure(buckets.explained(failure, of: request.url)))
        }
        return outcome
    }

    /// Holds only references while it waits, so that each of tens of thousands of waiting tasks
    /// takes little memory. The synchronous functions that it calls are not inlined for the same
    /// reason.
    private func answer(_ request: NetworkRequest) async -> NetworkOutcome.Box {
        switch plan(request) {
        case .known(let outcome): return outcome
        case .transfer(let transfer):
            let first = await queue.load(transfer)
            if let outcome = conclude(transfer, first) { return outcome }
            // The server confirmed a cache entry that was removed meanwhile.
            let again = TransferRequest(withoutValidators: transfer)
            let second = await queue.load(again)
            return conclude(again, second)
                ?? NetworkOutcome.Box(NetworkFailure(.badHTTP, "Unexpected status 304."))
        }
    }

    /// Returns the cached response of a URL, even an expired one; nil if there is none that the
    /// settings allow.
    package func cachedResponse(_ url: String) -> NetworkResponse? {
        guard let address = try? WebAddress(url), address.credentials == nil,
            let entry = cache?.entry(for: CacheKey(url: address.text, headers: headersDigest)),
            isAllowed(entry, for: address)
        else { return nil }
        return try? response(of: entry, .cache).get()
    }

    /// The transfers that have used most of their time, the slowest first.
    package func slowest(_ count: Int) async -> [NetworkProgress] {
        await queue.slowest(count)
    }

    private enum Plan {
        case known(NetworkOutcome.Box)
        case transfer(TransferRequest)
    }

    @inline(never)
    private func plan(_ request: NetworkRequest) -> Plan {
        var request = request
        let address: WebAddress
        do throws(NetworkFailure) {
            if let buckets = settings.buckets, let stored = try buckets.address(of: request.url) {
                address = stored
                request.omitsHeaders = true
            } else {
                address = try WebAddress(request.url)
            }
            try AddressGuard.check(address, settings.addresses)
        } catch {
            return .known(NetworkOutcome.Box(error))
        }
        let digest = digest(of: request)
        let key = CacheKey(url: address.text, headers: digest)
        let entry = cache(for: address)?.entry(for: key)
        if let entry, isAllowed(entry, for: address),
            settings.isOffline || entry.isFresh(at: WallClock.nowSeconds)
        {
            return .known(NetworkOutcome.Box(NetworkOutcome(response(of: entry, .cache))))
        }
        guard !settings.isOffline else {
            return .known(NetworkOutcome.Box(NetworkFailure(.offline, "Not in the cache.")))
        }
        return .transfer(
            TransferRequest(address, request, validators: entry?.validators, cacheKey: key))
    }

    /// The digest of the lines, other than the URL, that the response to a request may depend on.
    private func digest(of request: NetworkRequest) -> String {
        guard request.omitsHeaders || !request.headers.isEmpty else { return headersDigest }
        var settings = settings
        if request.omitsHeaders { settings.headers = [] }
        return Self.digest(settings.varyingLines(adding: request.headers))
    }

    /// The cache for an address; nil if the response was loaded with a password and must not be
    /// kept.
    private func cache(for address: WebAddress) -> ResponseCache? {
        address.credentials == nil ? cache : nil
    }

    /// Returns whether the current settings allow the final URL of an entry. A run with other
    /// settings may have stored the entry.
    private func isAllowed(_ entry: CacheEntry, for address: WebAddress) -> Bool {
        if entry.finalURL == address.text { return true }
        guard settings.redirects > 0, let end = try? WebAddress(entry.finalURL) else {
            return false
        }
        return (try? AddressGuard.check(end, settings.addresses)) != nil
    }

    /// Stores the response of a transfer. For a 304, returns the cache entry that the response
    /// confirms, or nil if the entry is gone.
    @inline(never)
    private func conclude(
        _ transfer: TransferRequest, _ box: NetworkOutcome.Box
    ) -> NetworkOutcome.Box? {
        let outcome = box.outcome
        guard case .success(let response) = outcome.result else { return box }
        let cache = cache(for: transfer.address)
        if response.status == 304 {
            // The entry is read again, since keeping it during the transfer would take memory.
            guard let entry = cache?.entry(for: transfer.cacheKey) else { return nil }
            if !outcome.isShared {
                cache?.renew(
                    transfer.cacheKey, entry, with: response.headers,
                    redirectLifetime: outcome.redirectLifetime)
            }
            return NetworkOutcome.Box(outcome.with(self.response(of: entry, .revalidated)))
        }
        if response.status == 200, !outcome.isShared {
            cache?.store(
                transfer.cacheKey, response, redirectLifetime: outcome.redirectLifetime)
        }
        return box
    }

    private func response(
        of entry: CacheEntry, _ origin: NetworkResponse.Origin
    ) -> Result<NetworkResponse, NetworkFailure> {
        guard entry.body.count <= settings.bodyLimit else {
            return .failure(NetworkFailure(bodyPasses: settings.bodyLimit))
        }
        return .success(
            NetworkResponse(
                body: NetworkBody(entry.body, ledger: ledger), status: 200,
                finalURL: entry.finalURL, headers: entry.headers, origin: origin))
    }
}

/// A network loader that is made for the first source that needs it, so that a run over files
/// starts no thread and makes no cache folder.
package final class LazyNetworkLoader: Sendable {
    package let settings: NetworkSettings
    /// The waits that hosts asked for; readable after the loader was closed.
    package let waits = HostWaits()
    private let state = Mutex<State>(.new)

    private enum State: Sendable {
        case new
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

    /// Returns the loader, made at the first call.
    ///
    /// - Throws: If it cannot be made, or was closed.
    package func loader() throws(NetworkFailure) -> NetworkLoader {
        try state.withLock { state throws(NetworkFailure) in
            switch state {
            case .open(let loader): return loader
            case .closed: throw NetworkFailure(.canceled)
            case .new:
                let loader = try NetworkLoader(settings, waits: waits)
                state = .open(loader)
                return loader
            }
        }
    }

    /// The transfers that have used most of their time, the slowest first.
    package func slowest(_ count: Int) async -> [NetworkProgress] {
        let loader = state.withLock { $0.loader }
        return await loader?.slowest(count) ?? []
    }

    package func close() {
        let loader = state.withLock { state -> NetworkLoader? in
            defer { state = .closed }
            return state.loader
        }
        loader?.shutDown()
    }
}

/// The waits that hosts asked for with `Retry-After` or 429, for the progress output and the
/// closing summary of a run.
package final class HostWaits: Sendable {
    private struct Wait {
        /// Nanoseconds in all, the present wait included.
        var total: Int64 = 0
        var end = Int64.min

        func total(at now: Int64) -> Int64 { total - max(0, end - now) }
    }

    /// The greatest number of recorded hosts; later hosts are ignored.
    private static let hostLimit = 1_000

    private let waits = Mutex<[String: Wait]>([:])

    package init() {}

    /// Records that no request is sent to a host before `end`.
    package func note(_ host: String, until end: Int64, at now: Int64) {
        waits.withLock { waits in
            guard end > now, waits[host] != nil || waits.count < Self.hostLimit else { return }
            let added = end - max(now, waits[host, default: Wait()].end)
            guard added > 0 else { return }
            waits[host, default: Wait()].total += added
            waits[host]?.end = end
        }
    }

    /// The host with the longest wait in progress and the nanoseconds left; nil if no host waits.
    package func longest(at now: Int64) -> (host: String, left: Int64)? {
        let longest = waits.withLock { waits in
            waits.filter { $0.value.end > now }.max {
                ($0.value.end, $1.key) < ($1.value.end, $0.key)
            }
        }
        return longest.map { ($0.key, $0.value.end - now) }
    }

    /// The hosts with at least one second of waits up to now, the longest first.
    package func totals(at now: Int64) -> [(host: String, time: Int64)] {
        waits.withLock { $0.map { (host: $0.key, time: $0.value.total(at: now)) } }
            .filter { $0.time >= 1_000_000_000 }
            .sorted { ($1.time, $0.host) < ($0.time, $1.host) }
    }
}
