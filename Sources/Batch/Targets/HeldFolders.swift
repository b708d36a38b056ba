import Synchronization
import Transport

/// The right to write to several folders, let go of at once.
package final class HeldFolders: Sendable {
    private final class Hold: Sendable {
        private let lock: OutputLock
        init(_ lock: consuming OutputLock) { self.lock = lock }
    }

    private let holds = Mutex<[Hold]>([])

    package init() {}

    package func hold(_ folder: OutputFolder) throws(OutletError) {
        let hold = Hold(try OutputLock(folder))
        holds.withLock { $0.append(hold) }
    }

    package func letGo() { holds.withLock { $0 = [] } }
}
