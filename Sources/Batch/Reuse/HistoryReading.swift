import Synchronization
import System
import Transport

/// What earlier runs into a folder left, read on a thread of its own while a list is planned: first the
/// journal, then what stands of its items, for as long as nobody asks of one.
package struct HistoryReading: ~Copyable {
    private final class State: Sendable {
        let history = Mutex<Result<RunHistory, OutletError>?>(nil)
        let isRead = Semaphore()
        let isOver = Atomic(false)

        func read(_ outlet: Outlet, startsOver: Bool) {
            let found: Result<RunHistory, OutletError>
            do throws(OutletError) {
                found = .success(try RunHistory(outlet.folder, compacts: startsOver))
            } catch {
                found = .failure(error)
            }
            history.withLock { $0 = found }
            isRead.signal()
            if case .success(let history) = found, !startsOver {
                history.lookAhead(in: outlet) { isOver.load(ordering: .relaxed) }
            }
        }
    }

    private let state = State()
    private let thread: Thread?

    /// - Parameters:
    ///   - outlet: where the run writes; its folder is held.
    ///   - startsOver: nothing will be taken over.
    package init(of outlet: Outlet, startsOver: Bool) {
        let busy = Thread.processor
        thread = Thread("emblem-past") { [state] in
            Thread.leaveProcessor(busy)
            state.read(outlet, startsOver: startsOver)
        }
        if thread == nil {
            state.isOver.store(true, ordering: .relaxed)
            state.read(outlet, startsOver: startsOver)
        }
    }

    deinit {
        state.isOver.store(true, ordering: .relaxed)
        thread?.join()
    }

    /// The history, once the journal is read.
    package func history() throws(OutletError) -> RunHistory {
        state.isRead.wait()
        // For whoever asks next.
        state.isRead.signal()
        guard let found = state.history.withLock({ $0 }) else {
            preconditionFailure("Who signals has read.")
        }
        return try found.get()
    }
}
