import Digest
import System

/// Loads sources from the network: fast, polite, and closed to attackers.
///
/// One event thread decides what becomes of all transfers. Everything it does not need to do (reading
/// and keeping the cache) happens in the tasks that ask. Bodies are handed on as bytes; nobody here
/// knows what a picture is.
package final class NetworkLoader: Sendable {
    private let settings: NetworkSettings
    private let engine: TransferEngine
    private let ledger: HeldBytes
    private let cache: ResponseCache?
    private let headersDigest: String

    /// Starts the loader's thread; throws where the system gives none, or where the cache folder
    /// cannot be made.
    package init(
        _ settings: NetworkSettings, waits: HostWaits = HostWaits()
    ) throws(NetworkFailure) {
        guard CurlLibrary.isFound else { throw NetworkFailure(.connect, CurlLibrary.whatIsMissing) }
        guard let (engine, ledger) = TransferEngine.start(settings, waits) else {
            throw NetworkFailure(
                .connect,
                "The system has no thread or memory for the network loader.")
        }
        self.settings = settings
        self.engine = engine
        self.ledger = ledger
        let lines = settings.tellingLines.joined(separator: "\n")
        headersDigest = lines.isEmpty ? "" : SHA256.hash(lines).hex
        do throws(NetworkFailure) {
            cache = try settings.cache.flatMap(Self.open)
        } catch {
            engine.shutDown()
            throw error
        }
    }

    deinit {
        engine.shutDown()
        cache?.close()
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

    /// Ends what is under way as canceled and brings the cache's books up to date. Later loads
    /// end as canceled.
    package func shutDown() {
        engine.shutDown()
        cache?.close()
    }

    /// Loads one source. Ends early, and as canceled, with its task.
    package func load(_ request: NetworkRequest) async -> NetworkOutcome {
        let outcome = await answer(request).outcome
        guard settings.respectsOptOut, case .success(let response) = outcome.result,
            response.headers.optsOut
        else { return outcome }
        return outcome.failing(
            NetworkFailure(.optedOut, "X-Robots-Tag: \(response.headers.robotsTag ?? "")"))
    }

    /// Works in plain functions and hands single words across its waits, so that each of tens of
    /// thousands of waiting tasks carries little.
    private func answer(_ request: NetworkRequest) async -> Known {
        switch plan(request) {
        case .known(let known): return known
        case .ask(let question):
            let first = await engine.transfer(question.order)
            if let known = conclude(question, first, isLast: false) { return known }
            // What was kept still holds, but somebody has removed it meanwhile.
            let second = await engine.transfer(question.orderAnew)
            return conclude(question, second, isLast: true) ?? Known.nothing
        }
    }

    /// Returns what the cache holds of a URL, however old it is; nil where it must not be shown.
    package func kept(_ url: String) -> NetworkResponse? {
        guard let address = try? WebAddress(url), address.credentials == nil,
            let entry = cache?.entry(for: CacheKey(url: address.text, headers: headersDigest)),
            isOpen(to: entry, at: address),
            !(settings.respectsOptOut && entry.headers.optsOut)
        else { return nil }
        return try? outcome(Self.nothing, entry, .cache).result.get()
    }

    /// What has been under way for longest, the slowest first.
    package func slowest(_ count: Int) async -> [NetworkFlight] {
        await engine.slowest(count)
    }

    /// What becomes of a request before anything is sent.
    private enum Plan {
        case known(Known)
        case ask(Question)
    }

    private final class Known: Sendable {
        let outcome: NetworkOutcome

        init(_ outcome: NetworkOutcome) {
            self.outcome = outcome
        }

        /// Nothing was sent, and nothing is there.
        static let nothing = Known(NetworkOutcome(NetworkLoader.nothing, nil))
    }

    /// What a task holds on to while it waits.
    private final class Question: Sendable {
        let order: TransferOrder
        let key: CacheKey
        /// Nil where the answer must not be kept.
        let cache: ResponseCache?

        init(_ order: TransferOrder, _ key: CacheKey, _ cache: ResponseCache?) {
            self.order = order
            self.key = key
            self.cache = cache
        }

        var orderAnew: TransferOrder {
            TransferOrder(
                order.address, validators: nil, timeLeft: order.timeLeft,
                failedBefore: order.failedBefore)
        }
    }

    @inline(never)
    private func plan(_ request: NetworkRequest) -> Plan {
        let address: WebAddress
        do throws(NetworkFailure) {
            address = try WebAddress(request.url)
            try AddressGuard.check(address, allowPrivate: settings.allowPrivate)
        } catch {
            return .known(Known(NetworkOutcome(TransferOutcome(result: .failure(error)), nil)))
        }
        let key = CacheKey(url: address.text, headers: headersDigest)
        // What was loaded with a password is nobody else's, and is not kept.
        let cache = address.credentials == nil ? cache : nil
        let kept = cache?.entry(for: key)
        if let kept, isOpen(to: kept, at: address),
            settings.isOffline || kept.isFresh(at: WallClock.nowSeconds)
        {
            return .known(Known(outcome(Self.nothing, kept, .cache)))
        }
        if settings.isOffline { return .known(.nothing) }
        return .ask(
            Question(
                TransferOrder(
                    address, validators: kept?.validators,
                    timeLeft: request.timeLeft?.nanoseconds, failedBefore: request.failedBefore),
                key, cache))
    }

    /// What was kept may be shown by the settings of now, by which it might not have been loaded.
    private func isOpen(to kept: CacheEntry, at address: WebAddress) -> Bool {
        if kept.finalURL == address.text { return true }
        guard settings.redirects > 0, let end = try? WebAddress(kept.finalURL) else { return false }
        do throws(NetworkFailure) {
            try AddressGuard.check(end, allowPrivate: settings.allowPrivate)
            return true
        } catch {
            return false
        }
    }

    /// Nothing was sent.
    private static let nothing = TransferOutcome(
        result: .failure(NetworkFailure(.offline, "Not in the cache.")))

    /// Nil where a 304 speaks of something that is no longer there, and asking anew may help.
    @inline(never)
    private func conclude(
        _ question: Question, _ box: TransferOutcome.Box, isLast: Bool
    ) -> Known? {
        let outcome = box.outcome
        guard case .success(let answer) = outcome.result else {
            return Known(NetworkOutcome(outcome, nil))
        }
        if answer.status == 304 {
            // Read again rather than held for the length of the wait.
            guard let kept = question.cache?.entry(for: question.key) else {
                return isLast ? Known(NetworkOutcome(outcome, nil)) : nil
            }
            if !outcome.isShared {
                question.cache?.renew(
                    question.key, kept, with: answer.headers, route: outcome.route)
            }
            return Known(self.outcome(outcome, kept, .revalidated))
        }
        if answer.status == 200, !outcome.isShared {
            question.cache?.keep(question.key, answer, route: outcome.route)
        }
        let response = NetworkResponse(
            body: answer.body, status: answer.status, finalURL: answer.finalURL,
            headers: answer.headers, origin: .network)
        return Known(NetworkOutcome(outcome, response))
    }

    /// What was kept, unless it passes the limit of now: another run may have had a larger one.
    private func outcome(
        _ outcome: TransferOutcome, _ kept: CacheEntry, _ origin: NetworkResponse.Origin
    ) -> NetworkOutcome {
        guard kept.body.count <= settings.bodyLimit else {
            var outcome = outcome
            outcome.result = .failure(NetworkFailure(bodyPasses: settings.bodyLimit))
            return NetworkOutcome(outcome, nil)
        }
        let response = NetworkResponse(
            body: NetworkBody(kept.body, ledger: ledger), status: 200, finalURL: kept.finalURL,
            headers: kept.headers, origin: origin)
        return NetworkOutcome(outcome, response)
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
            result = .failure(NetworkFailure(.badHTTP, "Unexpected status 304."))
        }
        timings = outcome.timings
        attempts = outcome.attempts
        redirects = outcome.redirects
        reusedConnection = outcome.reusedConnection
        wireBytes = outcome.wireBytes
        isShared = outcome.isShared
    }
}
