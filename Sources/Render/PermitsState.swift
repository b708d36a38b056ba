import System

/// The renderers, the memory and the queue of a backend, as a state machine. It reads no clock and
/// resumes no task.
///
/// A request that needs more than `smallBytes` is slow. Each kind of requests has a queue, which
/// serves its keys in turn. Of the requests at the heads of the queues, the oldest is served first;
/// others pass a slow request that cannot be served yet.
///
/// With `quickRenderers`, slow requests leave that many renderers free, and the memory of
/// `renderers` small requests. While quick requests are served or wait, slow requests are served
/// only up to a third of the renderers, but at least one, so that they take about a third of the
/// CPU time. While quick requests wait, unsure requests count like slow ones, except for one unsure
/// request after every eight quick ones, or after every 64 if the last one had to yield. So a quick
/// request waits only for the quick requests before it and some unsure ones, however long slow ones
/// take.
///
/// Without `quickRenderers`, all requests share all renderers and memory. Small grants then hold at
/// most a quarter of the memory, so they cannot starve a request for the other three quarters. A
/// larger request is passed at most `passesLimit` times.
package struct PermitsState {
    package struct Request: Hashable, Sendable {
        package let id: Int
        package let bytes: Int
        package let kind: Kind
        package let key: String
    }

    package enum Kind: Hashable, Sendable {
        /// The work takes a few milliseconds.
        case quick
        /// The time cannot be predicted, as for a drawing. Work that takes long counts as slow
        /// later.
        case unsure
        case slow
    }

    /// The renderer and the memory of a served request.
    private struct Holding {
        let bytes: Int
        var kind: Kind
        var hasRenderer = true
    }

    /// The decision about work that has used the time of a quick request.
    package enum Pace: Sendable {
        /// The work counts as slow from now on, or has ended. There is no need to ask again.
        case settled
        /// Slow work has its share of the renderers, and no small request waits. Ask again later.
        case undecided
        /// A small request waits for the renderer. The work must end and wait as a slow request.
        case yields
    }

    package let renderers: Int
    package let bytes: Int
    package let quickRenderers: Int
    package let smallBytes: Int
    /// The number of free renderers; negative if tasks with a worker took more than all.
    private var freeRenderers: Int
    private var freeBytes: Int
    /// The most renderers that were in use at once.
    package private(set) var greatestRenderers = 0
    /// The most memory that was in use at once.
    package private(set) var greatestBytes = 0
    /// The number of renderers that requests of each kind have.
    private var counts: [Kind: Int] = [:]
    /// The memory of requests above `smallBytes`.
    private var largeBytes = 0
    private var quick = KeyedQueue<Request>()
    private var unsure = KeyedQueue<Request>()
    private var slow = KeyedQueue<Request>()
    private var holdings: [Int: Holding] = [:]
    private var nextID = 0
    /// The number of times that the first slow request was passed.
    private var passes = 0

    /// The number of consecutive quick requests that passed the first unsure request.
    private var unsurePasses = 0
    /// The most such passes. Work that yields costs its worker and many times the CPU time of a
    /// quick request, so after it the limit is higher until other unsure work ends in time.
    private var unsurePassesLimit = Self.unsurePassesLimits.lowerBound

    /// The most times that a request is passed if it needs memory that small requests could use.
    private static let passesLimit = 64
    private static let unsurePassesLimits = 8...64

    /// - Parameters:
    ///   - quickRenderers: The number of renderers that slow requests leave free.
    ///   - smallBytes: The most memory of a quick request.
    package init(renderers: Int, bytes: Int, quickRenderers: Int, smallBytes: Int) {
        precondition(renderers > quickRenderers, "Slow requests need a renderer, too.")
        precondition(
            quickRenderers == 0 || bytes / renderers > smallBytes,
            "Small requests leave memory for larger ones.")
        self.renderers = renderers
        self.bytes = bytes
        self.quickRenderers = quickRenderers
        self.smallBytes = smallBytes
        (freeRenderers, freeBytes) = (renderers, bytes)
    }

    package var waitingCount: Int { quick.count + unsure.count + slow.count }

    /// The memory, in bytes, that all requests above `smallBytes` can have together.
    package var largeLimit: Int { quickRenderers > 0 ? bytes - renderers * smallBytes : bytes }

    package func waitingCount(of key: String) -> Int {
        quick.count(of: key) + unsure.count(of: key) + slow.count(of: key)
    }

    /// Makes a request for a renderer and `bytes`, limited to `largeLimit`.
    package mutating func request(
        _ bytes: Int, _ kind: Kind = .quick, key: String = ""
    ) -> Request {
        defer { nextID += 1 }
        let bytes = min(max(bytes, 0), largeLimit)
        let kind = bytes > smallBytes ? .slow : quickRenderers > 0 ? kind : .quick
        return Request(id: nextID, bytes: bytes, kind: kind, key: key)
    }

    /// Takes a renderer and memory if both are free and no waiting request must be served before.
    ///
    /// - Parameter hasWorker: Whether the task has a worker and needs no free renderer.
    package mutating func takeNow(_ request: Request, hasWorker: Bool = false) -> Bool {
        guard hasWorker || freeRenderers > 0, fits(request) else { return false }
        if waitingCount > 0 {
            guard request.kind != .slow, hasWorker || quick.count + unsure.count == 0,
                mayPassSlow(hasWorker: hasWorker)
            else { return false }
            if slow.first != nil { passes += 1 }
        }
        spend(request)
        return true
    }

    /// Adds a request to its queue after `takeNow` has refused it.
    package mutating func enqueue(_ request: Request) {
        switch request.kind {
        case .quick: quick.append(request, of: request.key)
        case .unsure: unsure.append(request, of: request.key)
        case .slow: slow.append(request, of: request.key)
        }
    }

    /// Removes a request from its queue. Returns whether it was waiting, and the requests that are
    /// served now.
    package mutating func leave(_ request: Request) -> (wasWaiting: Bool, served: [Request]) {
        let wasWaiting: Bool
        switch request.kind {
        case .quick: wasWaiting = quick.remove(request, of: request.key)
        case .unsure: wasWaiting = unsure.remove(request, of: request.key)
        case .slow:
            if slow.first == request { passes = 0 }
            wasWaiting = slow.remove(request, of: request.key)
        }
        return (wasWaiting, serve())
    }

    /// Frees the renderer and the memory of a served request. Returns the requests that are served
    /// now.
    package mutating func release(_ id: Int) -> [Request] {
        giveBackRenderer(of: id)
        guard let holding = holdings.removeValue(forKey: id) else { return [] }
        if holding.kind == .unsure { unsurePassesLimit = Self.unsurePassesLimits.lowerBound }
        freeBytes += holding.bytes
        if holding.bytes > smallBytes { largeBytes -= holding.bytes }
        return serve()
    }

    /// Frees the renderer of a served request, which keeps its memory. Returns the requests that
    /// are served now.
    package mutating func releaseRenderer(_ id: Int) -> [Request] {
        giveBackRenderer(of: id)
        return serve()
    }

    /// Decides whether the work of a served request continues after it has used the time of a quick
    /// request. Returns also the requests that are served now, because slow ones may be served when
    /// the last quick request has become slow.
    package mutating func pace(of id: Int) -> (pace: Pace, served: [Request]) {
        guard let holding = holdings[id], holding.kind != .slow, holding.hasRenderer else {
            return (.settled, [])
        }
        // A quick request counts as one only for others.
        counts[holding.kind, default: 0] -= 1
        let pace: Pace =
            mayBeSlow ? .settled : quick.count + unsure.count == 0 ? .undecided : .yields
        let kind = pace == .undecided ? holding.kind : .slow
        holdings[id]?.kind = kind
        counts[kind, default: 0] += 1
        if pace == .yields, holding.kind == .unsure {
            unsurePassesLimit = Self.unsurePassesLimits.upperBound
        }
        return (pace, pace == .settled ? serve() : [])
    }

    private func count(_ kind: Kind) -> Int { counts[kind, default: 0] }

    /// The number of renderers that slow requests can take now.
    private var slowLimit: Int {
        let hasQuick = quick.count + count(.quick) > 0
        return min(hasQuick ? max(1, renderers / 3) : renderers, renderers - quickRenderers)
    }

    /// Whether fewer slow requests than allowed are served.
    private var mayBeSlow: Bool { count(.slow) < slowLimit }

    private mutating func giveBackRenderer(of id: Int) {
        guard let holding = holdings[id], holding.hasRenderer else { return }
        holdings[id]?.hasRenderer = false
        freeRenderers += 1
        counts[holding.kind, default: 0] -= 1
    }

    /// Serves every request that can be served.
    private mutating func serve() -> [Request] {
        var served: [Request] = []
        while freeRenderers > 0, let next = popNext() {
            spend(next)
            served.append(next)
        }
        return served
    }

    /// Removes and returns the next request that can be served; nil if none can be.
    private mutating func popNext() -> Request? {
        let small = firstSmall
        if let first = slow.first, small.map({ first.id < $0.id }) ?? true {
            if fits(first) {
                passes = 0
                return slow.popFirst()
            }
            guard let small, fits(small), mayPassSlow() else { return nil }
            passes += 1
        }
        guard let small, fits(small) else { return nil }
        guard small.kind == .quick else {
            unsurePasses = 0
            return unsure.popFirst()
        }
        if unsure.first != nil { unsurePasses += 1 }
        return quick.popFirst()
    }

    /// The next request that is not slow.
    private var firstSmall: Request? {
        guard let quickest = quick.first, let other = unsure.first else {
            return quick.first ?? unsure.first
        }
        let isOnlyForQuick =
            count(.slow) + count(.unsure) >= slowLimit
            && unsurePasses < unsurePassesLimit
        return isOnlyForQuick || quickest.id < other.id ? quickest : other
    }

    /// Returns whether the memory suffices and, for a slow request, whether fewer slow requests
    /// than allowed are served.
    private func fits(_ request: Request) -> Bool {
        guard request.bytes <= freeBytes else { return false }
        guard request.kind == .slow, quickRenderers > 0 else { return true }
        return mayBeSlow
            && (request.bytes <= smallBytes || largeBytes + request.bytes <= largeLimit)
    }

    /// Returns whether another request may pass the first slow request, which cannot be served yet.
    private func mayPassSlow(hasWorker: Bool = false) -> Bool {
        guard let first = slow.first else { return true }
        // Tasks with a worker may hold the same amount in small grants, in addition to other tasks.
        let smallGrants = renderers * smallBytes * (hasWorker ? 2 : 1)
        return first.bytes <= bytes - smallGrants || passes < Self.passesLimit
    }

    /// Gives a renderer and memory to a request.
    private mutating func spend(_ request: Request) {
        freeRenderers -= 1
        freeBytes -= request.bytes
        if request.bytes > smallBytes { largeBytes += request.bytes }
        counts[request.kind, default: 0] += 1
        greatestRenderers = max(greatestRenderers, renderers - freeRenderers)
        greatestBytes = max(greatestBytes, bytes - freeBytes)
        holdings[request.id] = Holding(bytes: request.bytes, kind: request.kind)
    }
}

/// A queue that serves its keys in turn, and the elements of a key in order.
private struct KeyedQueue<Element: Equatable> {
    private var queues: [String: Deque<Element>] = [:]
    /// The keys that have elements, in the order in which they are served.
    private var waitingKeys = Deque<String>()
    private(set) var count = 0

    var first: Element? { waitingKeys.first.flatMap { queues[$0]?.first } }

    func count(of key: String) -> Int { queues[key]?.count ?? 0 }

    mutating func append(_ element: Element, of key: String) {
        if queues[key] == nil { waitingKeys.append(key) }
        queues[key, default: Deque()].append(element)
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard let key = waitingKeys.popFirst() else { return nil }
        let element = queues[key]?.popFirst()
        count -= 1
        if count(of: key) > 0 { waitingKeys.append(key) } else { queues[key] = nil }
        return element
    }

    /// Removes an element and returns whether it was there. Takes linear time.
    mutating func remove(_ element: Element, of key: String) -> Bool {
        guard queues[key]?.removeFirst(where: { $0 == element }) != nil else { return false }
        count -= 1
        guard count(of: key) == 0 else { return true }
        queues[key] = nil
        _ = waitingKeys.removeFirst { $0 == key }
        return true
    }
}
