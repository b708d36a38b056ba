import Synchronization

/// A call to the system that Transport makes, by name.
package enum SystemCall: Hashable, Sendable {
    case open, read, write, stat, rename, unlink, makeFolder, sync, lock, truncate, list
}

/// Faults that strike chosen calls, so that tests meet a full disk without filling one.
///
/// They reach the task that runs inside `SystemCalls.$faults.withValue` and its children only.
package final class SystemFaults: Sendable {
    /// What happens to a call.
    package enum Effect: Hashable, Sendable {
        /// The call does nothing and reports this code.
        case fail(Int32)
        /// A read or write moves at most this many bytes.
        case short(Int)
    }

    /// One fault: the calls of a kind from number `first` (counted from one) on, `count` of them.
    package struct Fault: Hashable, Sendable {
        package var call: SystemCall
        package var first: Int
        package var count: Int
        package var effect: Effect

        package init(_ call: SystemCall, first: Int = 1, count: Int = 1, _ effect: Effect) {
            self.call = call
            self.first = first
            self.count = count
            self.effect = effect
        }
    }

    private let faults: [Fault]
    private let counts = Mutex<[SystemCall: Int]>([:])

    package init(_ faults: [Fault]) {
        self.faults = faults
    }

    /// How often a call was made so far.
    package func count(of call: SystemCall) -> Int {
        counts.withLock { $0[call, default: 0] }
    }

    /// Counts a call and says what is to happen to it.
    func strike(_ call: SystemCall) -> Effect? {
        let number = counts.withLock { counts in
            counts[call, default: 0] += 1
            return counts[call, default: 0]
        }
        return faults.first {
            $0.call == call && number >= $0.first && number - $0.first < $0.count
        }?.effect
    }
}
