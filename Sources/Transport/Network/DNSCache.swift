/// Addresses of host names that were looked up, and who waits for a lookup that is under way.
struct DNSCache {
    /// How to go on with a name.
    enum Reading: Equatable {
        case known(NameAnswer)
        /// A look-up is under way already.
        case wait
        /// Somebody must begin a look-up.
        case ask
    }

    /// Nanoseconds for which an answer holds; what the servers could not say is never kept.
    private static let keptTime: Int64 = 60_000_000_000
    private static let entriesLimit = 16_384
    private var answers: [String: (answer: NameAnswer, until: Int64)] = [:]
    private var waiting: [String: [UInt64]] = [:]

    /// Looks a name up for an item, which is told later where the answer is not at hand.
    mutating func read(_ host: String, for item: UInt64, at now: Int64) -> Reading {
        if let entry = answers[host], entry.until > now { return .known(entry.answer) }
        answers[host] = nil
        let isFirst = waiting[host] == nil
        waiting[host, default: []].append(item)
        return isFirst ? .ask : .wait
    }

    /// Notes an answer; returns the items that wait for it. Some may be over by now.
    mutating func note(_ host: String, _ answer: NameAnswer, at now: Int64) -> [UInt64] {
        if case .failed = answer {
            answers[host] = nil
        } else {
            if answers.count >= Self.entriesLimit { answers.removeAll(keepingCapacity: true) }
            answers[host] = (answer, now + Self.keptTime)
        }
        return waiting.removeValue(forKey: host) ?? []
    }
}
