import Digest

/// Loads sources from the network: fast, polite, and closed to attackers.
///
/// One event thread drives all transfers. Everything the thread does not need to do (reading and
/// keeping the cache) happens in the tasks that ask. Bodies are handed on as bytes; nobody here
/// knows what a picture is.
package final class NetworkLoader: Sendable {
    private let settings: NetworkSettings
    private let engine: TransferEngine
    private let ledger: ByteLedger
    private let cache: ResponseCache?
    private let headersDigest: String

    /// Starts the loader's thread; throws where the system gives none, or where the cache folder
    /// cannot be made.
    package init(_ settings: NetworkSettings) throws(NetworkFailure) {
        guard let (engine, ledger) = TransferEngine.start(settings) else {
            throw NetworkFailure(.connect, "The system gives the loader no thread or no memory.")
        }
        self.settings = settings
        self.engine = engine
        self.ledger = ledger
        let lines = settings.headers.map(\.line).joined(separator: "\n")
        headersDigest = lines.isEmpty ? "" : SHA256.hash(lines).hex
        do throws(NetworkFailure) {
            if let kept = settings.cache { cache = try ResponseCache(kept) } else { cache = nil }
        } catch {
            engine.shutDown()
            throw error
        }
    }

    deinit {
        engine.shutDown()
        cache?.close()
    }

    /// Ends what is under way as canceled and brings the cache's books up to date. Later loads
    /// end as canceled.
    package func shutDown() {
        engine.shutDown()
        cache?.close()
    }

    /// Loads one source. Ends early, and as canceled, with its task.
    package func load(_ request: NetworkRequest) async -> NetworkOutcome {
        let address: WebAddress
        do throws(NetworkFailure) {
            address = try WebAddress(request.url)
            try AddressGuard.check(address, allowPrivate: settings.allowPrivate)
        } catch {
            return NetworkOutcome(TransferOutcome(result: .failure(error)), nil)
        }
        let key = CacheKey(url: address.text, headers: headersDigest)
        // What was loaded with a password is nobody else's, and is not kept.
        let cache = address.credentials == nil ? cache : nil
        let kept = cache?.entry(for: key)
        if settings.isOffline {
            return outcome(kept, .cache)
                ?? NetworkOutcome(
                    TransferOutcome(result: .failure(NetworkFailure(.offline, "Not kept."))), nil)
        }
        if let kept, kept.isFresh(at: MonotonicTime.wallSeconds),
            let outcome = outcome(kept, .cache)
        {
            return outcome
        }
        return await load(address, key, kept, cache)
    }

    /// What has been under way for longest, the slowest first.
    package func slowest(_ count: Int) async -> [NetworkFlight] {
        await engine.slowest(count)
    }

    private func load(
        _ address: WebAddress, _ key: CacheKey, _ kept: CacheEntry?, _ cache: ResponseCache?
    ) async -> NetworkOutcome {
        let validators = kept?.validators
        let flight = FlightKey(
            url: address.text, credentials: address.credentials, validators: validators)
        let outcome = await engine.transfer(address, key: flight, validators: validators)
        guard case .success(let answer) = outcome.result else {
            return NetworkOutcome(outcome, nil)
        }
        if answer.status == 304, let kept {
            if !outcome.isShared {
                cache?.renew(key, kept, with: answer.headers, redirects: outcome.redirects)
            }
            return NetworkOutcome(outcome, response(kept, .revalidated, answer.finalURL))
        }
        if answer.status == 200, !outcome.isShared {
            cache?.keep(key, answer, redirects: outcome.redirects)
        }
        return NetworkOutcome(
            outcome,
            NetworkResponse(
                body: answer.body, status: answer.status, finalURL: answer.finalURL,
                headers: answer.headers, origin: .network))
    }

    private func outcome(
        _ kept: CacheEntry?, _ origin: NetworkResponse.Origin
    ) -> NetworkOutcome? {
        guard let kept else { return nil }
        let nothing = TransferOutcome(result: .failure(NetworkFailure(.offline)))
        return NetworkOutcome(nothing, response(kept, origin, kept.finalURL))
    }

    private func response(
        _ kept: CacheEntry, _ origin: NetworkResponse.Origin, _ finalURL: String
    ) -> NetworkResponse {
        NetworkResponse(
            body: NetworkBody(kept.body, ledger: ledger), status: 200, finalURL: finalURL,
            headers: kept.headers, origin: origin)
    }
}

extension NetworkOutcome {
    /// What the event thread found, with the response that comes of it; nil where it failed.
    fileprivate init(_ outcome: TransferOutcome, _ response: NetworkResponse?) {
        if let response {
            result = .success(response)
        } else if case .failure(let failure) = outcome.result {
            result = .failure(failure)
        } else {
            result = .failure(NetworkFailure(.badHTTP, "304 was not asked for."))
        }
        timings = outcome.timings
        attempts = outcome.attempts
        redirects = outcome.redirects
        reusedConnection = outcome.reusedConnection
        wireBytes = outcome.wireBytes
        isShared = outcome.isShared
    }
}
