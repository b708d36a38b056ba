import Codecs
import Render
import Synchronization
import System
import Theming

/// A task that waits for a worker, with its order.
final class WaitingTask: Sendable {
    /// The result of the wait.
    enum End: Sendable {
        /// The task has a worker, and sends the orders of other tasks in the same group.
        case worker(WorkerProcess, others: [WaitingTask])
        /// Another task sent the order in its group; nil if the order must be repeated alone.
        case answered(RenderAnswer?)
        /// The task that had the order in its group could not send it. The order must queue again.
        case again
        case refused(OrderError)
    }

    let waiter = Waiter<End>()
    let order: RenderOrder?
    /// Whether other orders may share the worker with this one.
    let groups: Bool
    /// Whether the task holds memory. Such a task is served first, and its order joins no group of
    /// another task.
    let isAdmitted: Bool
    /// The most bytes of the outcome.
    let outcomeBytes: Int
    /// Whether the order is in the group of another task; changed under the lock of the queue.
    let isInGroup = Atomic(false)

    init() { (order, groups, isAdmitted, outcomeBytes) = (nil, false, false, 0) }

    init(_ order: RenderOrder, groups: Bool, isAdmitted: Bool, in renderer: Renderer) {
        self.order = order
        self.groups = groups
        self.isAdmitted = isAdmitted
        outcomeBytes = Outcome.groupRoom(for: order, in: renderer.theme)
    }

    var mayJoinGroup: Bool { groups && !isAdmitted }
}

extension RenderOrder {
    private static let smallSource = 128 << 10
    private static let smallOutcome = 3 << 20

    /// Whether the order draws emblems of a small image in a common format. Such an order takes
    /// about as long as the transfer to a worker and back. It also needs enough time for a
    /// repetition if a group fails.
    func isSmall(in renderer: Renderer) -> Bool {
        guard subject == .picture, source.count <= Self.smallSource, besideBytes == 0,
            patienceNanoseconds >= 2 * WorkerConversation.groupNanoseconds,
            processorNanoseconds >= 2 * WorkerConversation.groupProcessorNanoseconds,
            case .picture(let format) = ImageSniffer.sniff(source.span), !format.needsOpening,
            !format.isVector
        else { return false }
        return Outcome.groupRoom(for: self, in: renderer.theme) <= Self.smallOutcome
    }
}

extension Outcome {
    private static let smallTable = 64 << 10

    /// Returns the most bytes that the outcome of a small order can take.
    static func groupRoom(for order: RenderOrder, in theme: Theme) -> Int {
        bytesLimit(for: order, in: theme) - tableLimit + smallTable
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
