import Synchronization
import System
import Transport

/// A sync of all file systems that a run writes to, on a separate thread.
final class BackgroundSync: Sendable {
    /// The end of the journal when the sync began: all earlier lines and their outputs are covered.
    let offset: Int
    private let state = State()

    private final class State: Sendable {
        let result = Mutex<Result<Void, OutletError>?>(nil)
        let isOver = Semaphore()
    }

    /// Begins the sync. If the system cannot start a thread, the caller waits for the sync here.
    init(of folders: [OutputFolder], upTo offset: Int) {
        self.offset = offset
        let state = state
        // Faults that a test injects belong to its task, and must reach this thread too.
        let faults = SystemCalls.faults
        let sync: @Sendable () -> Void = {
            let result = SystemCalls.$faults.withValue(faults) { Self.result(of: folders) }
            state.result.withLock { $0 = result }
            state.isOver.signal()
        }
        if !Thread.start("emblem-sync", sync) { sync() }
    }

    var isOver: Bool { state.result.withLock { $0 != nil } }

    /// Waits for the end. Every call throws the error of a sync that failed.
    func wait() throws(OutletError) {
        state.isOver.wait()
        // Signalled again, so that the next call does not wait.
        state.isOver.signal()
        try state.result.withLock { $0 }?.get()
    }

    static func run(_ folders: [OutputFolder]) throws(OutletError) {
        var devices: Set<UInt64> = []
        for folder in folders where devices.insert(folder.identity.device).inserted {
            try folder.syncAll()
        }
    }

    private static func result(of folders: [OutputFolder]) -> Result<Void, OutletError> {
        Result { () throws(OutletError) in try run(folders) }
    }
}
