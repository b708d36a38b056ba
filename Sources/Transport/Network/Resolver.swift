import Glibc
import Synchronization
import System

package enum NameAnswer: Sendable, Equatable {
    /// Addresses of 4 or 16 bytes, best first.
    case addresses([[UInt8]])
    case none(String)
    /// The DNS servers gave no answer; another lookup may succeed.
    case failed(String)
}

package protocol NameResolving: Sendable {
    /// Looks a name up; may block, and is called on lookup threads only.
    func addresses(of host: String) -> NameAnswer
}

/// The DNS lookups of a transfer loop: a cache of answers, and the lookups in progress. Only the
/// event thread uses this object. Each lookup has a separate thread, so that a DNS server that
/// never answers delays no other name.
final class Resolver {
    /// Nanoseconds for which an answer is kept; a failed lookup is never kept.
    private static let keptTime: Int64 = 60_000_000_000
    private static let entriesLimit = 16_384
    private let workers: LookupThreads
    private var answers: [String: (answer: NameAnswer, until: Int64)] = [:]
    private var waiting: [String: [UInt64]] = [:]

    /// - Parameter deliver: Receives each answer on a lookup thread. It must make the event thread
    ///   call `finish`.
    init(
        _ resolving: any NameResolving, deliver: @escaping @Sendable (String, NameAnswer) -> Void
    ) {
        workers = LookupThreads(resolving, deliver: deliver)
    }

    /// Returns the answer if it is known. Otherwise starts or joins a lookup; `finish` later
    /// returns the transfer.
    func resolve(_ host: String, for transfer: UInt64, at now: Int64) -> NameAnswer? {
        if let entry = answers[host], entry.until > now { return entry.answer }
        answers[host] = nil
        if waiting[host] == nil { workers.look(up: host) }
        waiting[host, default: []].append(transfer)
        return nil
    }

    /// Stores an answer and returns the transfers that wait for it. Some of these transfers may
    /// have ended meanwhile.
    func finish(_ host: String, _ answer: NameAnswer, at now: Int64) -> [UInt64] {
        if case .failed = answer {
            answers[host] = nil
        } else {
            if answers.count >= Self.entriesLimit { answers.removeAll(keepingCapacity: true) }
            answers[host] = (answer, now + Self.keptTime)
        }
        return waiting.removeValue(forKey: host) ?? []
    }

    func close() { workers.close() }

    /// Returns the addresses that may be connected to. Forbidden addresses are left out here to
    /// fail early; the socket checks each address again.
    static func allowed(
        _ answer: NameAnswer, of address: WebAddress, _ policy: AddressPolicy
    ) throws(NetworkFailure) -> [[UInt8]] {
        switch answer {
        case .none(let reason): throw NetworkFailure(.dns, reason)
        case .failed(let reason): throw NetworkFailure(.dns, reason, isPassing: true)
        case .addresses(let found):
            let allowed = found.filter { policy.allows($0.span, of: address) }
            guard !allowed.isEmpty else {
                throw NetworkFailure(.blockedAddress, "The name has no public address.")
            }
            return allowed
        }
    }

    /// Returns an entry for `CURLOPT_RESOLVE`: `+HOST:PORT:ADDRESS,ADDRESS`. The plus sign lets the
    /// entry expire like any other in curl's DNS cache. Returns nil if there are no addresses.
    static func curlLine(_ address: WebAddress, _ found: [[UInt8]]) -> String? {
        let texts = found.compactMap(text)
        guard !texts.isEmpty else { return nil }
        return "+\(address.host):\(address.port):\(texts.joined(separator: ","))"
    }

    /// Returns 4 or 16 bytes as text, with brackets around the longer form.
    private static func text(_ address: [UInt8]) -> String? {
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard address.count == 4 || address.count == 16 else { return nil }
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            unsafe address.withUnsafeBytes { bytes in
                unsafe inet_ntop(family, bytes.baseAddress, buffer.baseAddress, 64)
                    .map { unsafe String(cString: $0) }
            }
        }
        return address.count == 4 ? text : text.map { "[\($0)]" }
    }
}

/// The threads that look names up, at most 32.
private final class LookupThreads: Sendable {
    private struct State {
        var waiting = Deque<String>()
        var threads = 0
        var idle = 0
        var isClosed = false
    }

    private static let threadsLimit = 32
    private let resolving: any NameResolving
    private let deliver: @Sendable (String, NameAnswer) -> Void
    private let state = Mutex(State())
    private let work = Semaphore()

    init(
        _ resolving: any NameResolving, deliver: @escaping @Sendable (String, NameAnswer) -> Void
    ) {
        self.resolving = resolving
        self.deliver = deliver
    }

    /// Begins a lookup; the answer is delivered on another thread.
    func look(up host: String) {
        let needsThread = state.withLock { state in
            state.waiting.append(host)
            guard state.waiting.count > state.idle, state.threads < Self.threadsLimit else {
                return false
            }
            state.threads += 1
            return true
        }
        if needsThread {
            Thread.start("emblem-dns", stackBytes: 256 << 10) { [self] in run() }
        } else {
            work.signal()
        }
    }

    /// Drops the lookups that wait; each thread ends after its present lookup.
    func close() {
        state.withLock {
            $0.isClosed = true
            $0.waiting = Deque()
        }
        for _ in 0..<Self.threadsLimit { work.signal() }
    }

    private func run() {
        while true {
            let host = state.withLock { state -> String? in
                let host = state.waiting.popFirst()
                if host == nil { state.idle += 1 }
                return host
            }
            if let host {
                deliver(host, resolving.addresses(of: host))
                continue
            }
            work.wait()
            let ends = state.withLock { state in
                state.idle -= 1
                return state.isClosed
            }
            if ends { return }
        }
    }
}

/// The lookup of the system: hosts file and DNS, in the order that the machine is configured for.
package struct SystemResolver: NameResolving {
    package init() {}

    package func addresses(of host: String) -> NameAnswer {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let outcome = unsafe getaddrinfo(host, nil, &hints, &list)
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
        guard outcome == 0 else {
            let reason = unsafe gai_strerror(outcome).map { unsafe String(cString: $0) } ?? ""
            let isFinal = outcome == EAI_NONAME || outcome == -5  // EAI_NODATA
            return isFinal ? .none(reason) : .failed(reason)
        }
        var found: [[UInt8]] = []
        var entry = unsafe list
        while let current = unsafe entry {
            if let address = unsafe Self.bytes(current.pointee), !found.contains(address) {
                found.append(address)
            }
            unsafe entry = current.pointee.ai_next
        }
        return found.isEmpty ? .none("The name has no address.") : .addresses(found)
    }

    private static func bytes(_ info: addrinfo) -> [UInt8]? {
        guard let address = unsafe info.ai_addr else { return nil }
        let raw = UnsafeRawPointer(address)
        switch unsafe info.ai_family {
        case AF_INET:
            let four = unsafe raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return unsafe withUnsafeBytes(of: four) { unsafe [UInt8]($0) }
        case AF_INET6:
            let six = unsafe raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return unsafe withUnsafeBytes(of: six) { unsafe [UInt8]($0) }
        default: return nil
        }
    }
}
