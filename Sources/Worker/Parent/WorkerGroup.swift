import Codecs
import Render
import Theming

extension RenderOrder {
    private static let smallSource = 128 << 10
    private static let smallOutcome = 3 << 20

    private static let smallTable = 64 << 10

    /// Returns the most bytes of the outcome, if the order may share a request with others: it
    /// draws emblems of a small image in a common format, which takes about as long as the transfer
    /// to a worker and back. It also needs enough time for a repetition if a group fails.
    func groupBytes(_ format: ImageFormat?, in theme: Theme) -> Int? {
        guard subject == .picture, source.count <= Self.smallSource, besideBytes == 0,
            patienceNanoseconds >= 2 * WorkerConversation.groupNanoseconds,
            processorNanoseconds >= 2 * WorkerConversation.groupProcessorNanoseconds,
            let format, !format.needsOpening, !format.isVector
        else { return nil }
        let bytes = Outcome.bytesLimit(for: self, in: theme) - Outcome.tableLimit + Self.smallTable
        return bytes <= Self.smallOutcome ? bytes : nil
    }
}

/// The number of small orders that go to a worker at once.
///
/// The size follows the time of the last orders: the transfer to the worker and back must be short
/// compared with the work, and no order should wait long for the others.
package struct WorkerGroupSize {
    package static let limit = 16
    /// The CPU time that a group should take, in nanoseconds.
    private static let wanted: UInt64 = 16_000_000
    /// The most CPU time that one order adds to the average, so that grouping resumes after some
    /// quick orders.
    private static let most = 8 * wanted

    /// The moving average of the CPU time of an order, in nanoseconds.
    private var usual: UInt64 = wanted / 4

    package init() {}

    package var size: Int { min(max(Int(Self.wanted / max(usual, 1)), 1), Self.limit) }

    /// Counts an order.
    ///
    /// - Parameter nanoseconds: The CPU time of the order; nil if the worker ended. After that,
    ///   each order goes alone for a while.
    package mutating func note(_ nanoseconds: UInt64?) {
        guard let nanoseconds else {
            usual = Self.most
            return
        }
        usual = (usual * 7 + min(nanoseconds, Self.most)) / 8
    }
}
