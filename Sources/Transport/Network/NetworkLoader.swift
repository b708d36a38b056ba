import Digest
import Synchronization
import System

/// Loads sources from the network, with limits per host, retries, and the address rule.
///
/// One event thread decides about all transfers (``TransferLoop``). The calling tasks read and
/// write the cache. Bodies are handed on as bytes; the loader knows nothing about images. The thread
/// and the cache folder are made for the first source, so that a run over files needs neither.
package final class NetworkLoader: Sendable {
    package let settings: NetworkSettings
    private let headersDigest: String
    private let state = Mutex(State.new)

    private enum State: Sendable {
        case new
        case open(TransferQueue, ResponseCache?)
        case closed
    }

    package init(_ settings: NetworkSettings) {
        self.settings = settings
        headersDigest = Self.digest(settings.varyingLines())
    }

    deinit {
        shutDown()
    }

    private static func digest(_ lines: [String]) -> String {
        let text = lines.joined(separator: "\n")
        return text.isEmpty ? "" : SHA256.hash(text).hex
    }

    /// Returns the queue and the cache, made at the first call.
    ///
    /// - Throws: If libcurl or a resource is missing, the cache folder cannot be made, or the loader
    ///   was shut down.
    private func open() throws(ItemFailure) -> (queue: TransferQueue, cache: ResponseCache?) {
        try state.withLock { state throws(ItemFailure) in
            switch state {
            case .open(let queue, let cache): return (queue, cache)
            case .closed: throw ItemFailure(.canceled)
            case .new: break
            }
            guard CurlLibrary.isFound else {
                throw ItemFailure(
                    .connect, "URLs need libcurl. Install the Debian package libcurl4.")
            }
            guard let queue = TransferQueue(settings) else {
                throw ItemFailure(
                    .connect, "The system has no thread or memory for the network loader.")
            }
            do throws(ItemFailure) {
                let cache = try settings.cache.flatMap(Self.open)
                state = .open(queue, cache)
                return (queue, cache)
            } catch {
                queue.shutDown()
                throw error
            }
        }
    }

    private static func open(_ settings: CacheSettings) throws(ItemFailure) -> ResponseCache? {
        do throws(Errno) {
            return try ResponseCache(settings)
        } catch {
            guard let tell = settings.onObstacle else {
                throw ItemFailure(
                    .offline, "The cache folder \(settings.folder) cannot be used: \(error).")
            }
            tell(error)
            return nil
        }
    }

    /// Ends all loads as canceled and updates the size file of the cache. Later loads are canceled.
    package func shutDown() {
        let former = state.withLock { state in
            defer { state = .closed }
            return state
        }
        guard case .open(let queue, let cache) = former else { return }
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
        case .transfer(let transfer, let queue, let cache):
            let first = await queue.load(transfer)
            if let outcome = conclude(transfer, first, cache, queue.ledger) { return outcome }
            // The server confirmed a cache entry that was removed meanwhile.
            let again = TransferRequest(
                transfer.source, transfer.address, validators: nil, cacheKey: transfer.cacheKey)
            let second = await queue.load(again)
            return conclude(again, second, cache, queue.ledger)
                ?? NetworkOutcome.Box(ItemFailure(.badHTTP, "Unexpected status 304.", status: 304))
        }
    }

    /// Returns the cached response of a URL, even an expired one; nil if there is none that the
    /// settings allow.
    package func cachedResponse(_ url: String) -> NetworkResponse? {
        guard let (queue, cache) = try? open(), let address = try? WebAddress(url),
            address.credentials == nil,
            let entry = cache?.entry(for: ResponseCache.key(address.text, headers: headersDigest)),
            isAllowed(entry, for: address)
        else { return nil }
        return try? response(of: entry, .cache, queue.ledger).get()
    }

    private enum Plan {
        case known(NetworkOutcome.Box)
        case transfer(TransferRequest, TransferQueue, ResponseCache?)
    }

    @inline(never)
    private func plan(_ request: NetworkRequest) -> Plan {
        do throws(ItemFailure) {
            let (queue, openCache) = try open()
            var request = request
            let stored = try settings.buckets?.address(of: request.url)
            request.omitsHeaders = stored != nil
            let address = if let stored { stored } else { try WebAddress(request.url) }
            try settings.check(address)
            let key = ResponseCache.key(address.text, headers: digest(of: request))
            // A response that was loaded with a password is not kept.
            let cache = address.credentials == nil ? openCache : nil
            let entry = cache?.entry(for: key)
            if let entry, isAllowed(entry, for: address),
                settings.isOffline || entry.isFresh(at: WallClock.nowSeconds)
            {
                return .known(
                    NetworkOutcome.Box(NetworkOutcome(response(of: entry, .cache, queue.ledger))))
            }
            guard !settings.isOffline else { throw .notInCache }
            return .transfer(
                TransferRequest(request, address, validators: entry?.validators, cacheKey: key),
                queue, cache)
        } catch {
            return .known(NetworkOutcome.Box(error))
        }
    }

    /// The digest of the lines, other than the URL, that the response to a request may depend on.
    private func digest(of request: NetworkRequest) -> String {
        guard request.omitsHeaders || !request.headers.isEmpty else { return headersDigest }
        var settings = settings
        if request.omitsHeaders { settings.headers = [] }
        return Self.digest(settings.varyingLines(adding: request.headers))
    }

    /// Returns whether the current settings allow the final URL of an entry. A run with other
    /// settings may have stored the entry.
    private func isAllowed(_ entry: CacheEntry, for address: WebAddress) -> Bool {
        if entry.finalURL == address.text { return true }
        guard settings.redirects > 0, let end = try? WebAddress(entry.finalURL) else {
            return false
        }
        return (try? settings.check(end)) != nil
    }

    /// Stores the response of a transfer. For a 304, returns the cache entry that the response
    /// confirms, or nil if the entry is gone.
    @inline(never)
    private func conclude(
        _ transfer: TransferRequest, _ box: NetworkOutcome.Box, _ cache: ResponseCache?,
        _ ledger: HeldBytes
    ) -> NetworkOutcome.Box? {
        let outcome = box.outcome
        guard case .success(let response) = outcome.result else { return box }
        if response.status == 304 {
            // The entry is read again, since keeping it during the transfer would take memory.
            guard let entry = cache?.entry(for: transfer.cacheKey) else { return nil }
            if !outcome.isShared {
                cache?.renew(
                    transfer.cacheKey, entry, with: response.headers,
                    redirectLifetime: outcome.redirectLifetime)
            }
            return NetworkOutcome.Box(
                outcome.with(self.response(of: entry, .revalidated, ledger)))
        }
        if response.status == 200, !outcome.isShared {
            cache?.store(
                transfer.cacheKey, response.headers, finalURL: response.finalURL,
                body: response.body.bytes, redirectLifetime: outcome.redirectLifetime)
        }
        return box
    }

    private func response(
        of entry: CacheEntry, _ origin: NetworkResponse.Origin, _ ledger: HeldBytes
    ) -> Result<NetworkResponse, ItemFailure> {
        guard entry.body.count <= settings.bodyLimit else {
            return .failure(ItemFailure(bodyPasses: settings.bodyLimit))
        }
        return .success(
            NetworkResponse(
                body: NetworkBody(entry.body, ledger: ledger), status: 200,
                finalURL: entry.finalURL, headers: entry.headers, origin: origin))
    }
}

extension ItemFailure {
    /// The failure of a source that is not cached and must not be requested.
    package static let notInCache = ItemFailure(.offline, "Not in the cache.")

    init(bodyPasses limit: Int) { self.init(.tooLarge, "The body has more than \(limit) bytes.") }
}
