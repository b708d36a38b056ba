/// The progress of a batch run, counted by the outcomes that were delivered.
public struct BatchProgress: Hashable, Sendable {
    /// The number of outcomes delivered so far, including this one.
    public private(set) var finished = 0
    /// The number of these outcomes that show a placeholder.
    public private(set) var placeholders = 0
    /// The number of these outcomes for which nothing could be drawn.
    public private(set) var failed = 0
    /// The number of all outcomes; `nil` if the sources do not know it, as with a stream.
    public let total: Int?

    init(total: Int?) {
        self.total = total
    }

    /// The progress from 0 to 1, if the total is known.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(finished) / Double($0)) : 1 }
    }

    mutating func count(_ status: EmblemOutcome.Status) {
        finished += 1
        switch status {
        case .ok: break
        case .placeholder: placeholders += 1
        case .failed: failed += 1
        }
    }
}

extension BatchProgress: CustomStringConvertible {
    public var description: String { total.map { "\(finished) of \($0)" } ?? "\(finished)" }
}

/// A sequence of sources that may know its count.
protocol CountedSources {
    var knownCount: Int? { get }
}

extension KnownSources: CountedSources {
    var knownCount: Int? { (base as? any Collection)?.count }
}
