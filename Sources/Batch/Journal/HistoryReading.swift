import Synchronization
import System
import Transport

/// A thread that reads the history of a folder during planning: first the journal, then the state
/// of the outputs, at most 2,048 items ahead of the run.
///
/// Reading ahead reduces a run over 1,000 unchanged logos to 0.6 of its time.
package struct HistoryReading: ~Copyable {
    private final class State: Sendable {
        let history = Mutex<Result<RunHistory, OutletError>?>(nil)
        let isRead = Semaphore()
        /// Set when the result is no longer needed.
        let isOver = Atomic(false)

        func read(_ folder: OutputFolder) {
            let found = Result { () throws(OutletError) in
                try RunHistory(asItStandsIn: folder) { isOver.load(ordering: .relaxed) }
            }
            history.withLock { $0 = found }
            isRead.signal()
        }

        var found: RunHistory? {
            history.withLock { found in
                if case .success(let history) = found { history } else { nil }
            }
        }
    }

    private let folder: OutputFolder
    private let startsOver: Bool
    private let state = State()
    private let thread: Thread?

    /// Begins to read. Nothing is written before the call of `history()`.
    ///
    /// - Parameters:
    ///   - outlet: The destination of the run, whose folder is locked.
    ///   - startsOver: Whether nothing is reused.
    package init(of outlet: Outlet, startsOver: Bool) {
        folder = outlet.folder
        self.startsOver = startsOver
        let busy = Thread.processor
        thread = Thread("emblem-past") { [state] in
            Thread.leaveProcessor(busy)
            state.read(outlet.folder)
            if !startsOver, let history = state.found, !history.isWasteful {
                history.lookAhead(in: outlet)
            }
        }
        if thread == nil { state.read(outlet.folder) }
    }

    deinit {
        guard let thread else { return }
        state.isOver.store(true, ordering: .relaxed)
        state.isRead.wait()
        state.found?.endLookAhead()
        thread.join()
    }

    /// Waits for the journal and returns the history. A wasteful journal is compacted first.
    package func history() throws(OutletError) -> RunHistory {
        state.isRead.wait()
        // Signalled again for the next caller.
        state.isRead.signal()
        guard let found = state.history.withLock({ $0 }) else {
            preconditionFailure("Who signals has read.")
        }
        let history = try found.get()
        guard startsOver || history.isWasteful else { return history }
        return try RunHistory(folder, compacts: startsOver)
    }
}
