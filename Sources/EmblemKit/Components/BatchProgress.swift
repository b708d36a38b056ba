/// How far a run of a batch has come with the outcomes that were taken.
public struct BatchProgress: Hashable, Sendable {
    /// Outcomes taken, this one included.
    public private(set) var finished = 0
    /// Those among them that show a placeholder.
    public private(set) var placeholders = 0
    /// Those among them of which nothing could be drawn.
    public private(set) var failed = 0
    /// All there will be; `nil` where the sources do not know, as a stream does not.
    public let total: Int?

    init(total: Int?) {
        self.total = total
    }

    /// From 0 to 1, where the total is known.
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

/// Sources that may know how many they are.
protocol CountedSources {
    var knownCount: Int? { get }
}

extension KnownSources: CountedSources {
    var knownCount: Int? { (base as? any Collection)?.count }
}
