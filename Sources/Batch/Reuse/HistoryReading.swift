import Synchronization
import System
import Transport

/// What earlier runs into a folder left, read on a thread of its own while a list is planned: first the
/// journal, then what stands of its items, for as long as nobody asks of one.
package struct HistoryReading: ~Copyable {
    private final class State: Sendable {
        let history = Mutex<Result<RunHistory, OutletError>?>(nil)
        let isRead = Semaphore()

        func read(_ folder: OutputFolder, startsOver: Bool) {
            let found: Result<RunHistory, OutletError>
            do throws(OutletError) {
                found = .success(try RunHistory(folder, compacts: startsOver))
            } catch {
                found = .failure(error)
            }
            history.withLock { $0 = found }
            isRead.signal()
        }

        /// What was read, if it could be.
        var found: RunHistory? {
            history.withLock { found in
                if case .success(let history) = found { history } else { nil }
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
            state.read(outlet.folder, startsOver: startsOver)
            if !startsOver { state.found?.lookAhead(in: outlet) }
        }
        if thread == nil { state.read(outlet.folder, startsOver: startsOver) }
    }

    deinit {
        guard let thread else { return }
        state.isRead.wait()
        state.found?.endLookAhead()
        thread.join()
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
