/// The loop of every run, whose rows come from a plan, a stream or a program.
///
/// Rows wait in a `LookAhead` until they may begin, and each of them runs in a child task. All
/// closures except `arrivals` and `work` run in the calling task, so they may keep state without a
/// lock.
package enum RunLoop {
    package enum Start<Work: Sendable>: Sendable {
        /// The row needs a child task.
        case work(Work)
        /// The row ended without a task; rows with the same source reuse the result.
        case ended(SharedResult?)
    }

    private enum Event<Arrival: Sendable, End: Sendable>: Sendable {
        case arrived(Arrival?)
        case ended(LookAhead.Ticket, SharedResult?, End)
    }

    /// Runs all rows, and returns when the last child task has ended.
    ///
    /// - Parameters:
    ///   - arrivals: Waits for more rows while others are in progress; `nil` at the end.
    ///   - read: Adds rows to the look-ahead: those of an arrival, or those that can be read without
    ///     waiting. It is called before each start.
    ///   - begin: Starts a row; `nil` if the row cannot be started.
    ///   - isEnding: Whether the run ends before its last row, so that no other row starts.
    ///   - cancelsWork: Whether rows in progress are cancelled when the run ends early.
    ///   - work: The work of a row, and the result that rows with the same source can use.
    ///   - receive: Receives each result of `work`, in the order of their ends.
    package static func run<Arrival: Sendable, Work: Sendable, End: Sendable>(
        _ bounds: LookAheadBounds,
        arrivals: @escaping @Sendable () async -> Arrival?,
        read: (Arrival?, inout LookAhead) -> Void,
        begin: (LookAhead.Start) -> Start<Work>?,
        isEnding: () -> Bool = { Task.isCancelled },
        cancelsWork: Bool = true,
        work: @escaping @Sendable (Work) async -> (SharedResult?, End),
        receive: (End) async -> Void
    ) async {
        var lookAhead = LookAhead(bounds)
        await withTaskGroup(of: Event<Arrival, End>.self) { group in
            var (isOver, isWaiting) = (false, false)
            var arrival: Arrival?
            while true {
                while true {
                    if isEnding() {
                        lookAhead.stop()
                        if cancelsWork { group.cancelAll() }
                    }
                    read(arrival.take(), &lookAhead)
                    guard let start = lookAhead.next() else { break }
                    let ticket = start.ticket
                    switch begin(start) {
                    case .work(let piece):
                        group.addTask {
                            let (shared, end) = await work(piece)
                            return .ended(ticket, shared, end)
                        }
                    case .ended(let shared): lookAhead.ended(ticket, shared)
                    case nil: break
                    }
                }
                if !isOver, !isWaiting, lookAhead.hasRoom {
                    isWaiting = true
                    group.addTask { .arrived(await arrivals()) }
                }
                switch await group.next() {
                case nil: return
                case .ended(let ticket, let shared, let end):
                    lookAhead.ended(ticket, shared)
                    await receive(end)
                case .arrived(let rows):
                    isWaiting = false
                    isOver = rows == nil
                    arrival = rows
                }
            }
        }
    }
}
