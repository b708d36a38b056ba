import CSandbox
import Glibc
import Synchronization
import System

/// Cells that are made before there is work for them: by dividing this process while it is small.
///
/// A program takes some 20 ms until its libraries are in place; a process that divides has them. It
/// may do so only while it has a single thread and knows nothing worth stealing, which is at its
/// very beginning. Cells that take the place of others, and more than were made, are started as
/// programs.
package enum CellNursery {
    private static let born = Mutex<[CellStart]>([])
    /// Those that were ended, while nobody has waited for their end.
    private static let ended = Mutex<[CellStart]>([])

    /// Divides this process `count` times. To be called before anything else of the program; the
    /// processes die with the calling thread, and when nobody takes them, with this process.
    package static func prepare(count: Int) {
        for _ in 0..<count {
            do throws(CellFault) {
                var start = try CellStart()
                try start.divide()
                born.withLock { $0.append(start) }
            } catch {
                // Whoever needs a cell later starts it, and hears why none can be had.
                return
            }
        }
    }

    /// The numbers of those that nobody took yet.
    package static var processes: [pid_t] { born.withLock { $0.map(\.process) } }

    static func take() -> CellStart? {
        born.withLock { $0.popLast() }
    }

    /// Ends those that nobody took, whatever state they are in, and waits for none of them.
    static func dismiss() {
        let starts = taken(from: born)
        for start in starts {
            // One that was stopped would never hear that its line is closed.
            _ = emb_cell_kill(start.process, start.handle)
            Glibc.close(start.line)
            Glibc.close(start.region)
        }
        ended.withLock { $0 += starts }
    }

    /// Ends those that nobody took, and waits for the end of all: together as long as for one.
    package static func close() {
        dismiss()
        let last = MonotonicClock.now &+ UInt64(CellKeeper.buryMilliseconds) * 1_000_000
        for start in taken(from: ended) {
            let now = MonotonicClock.now
            _ = emb_cell_reap(start.process, now < last ? Int32((last - now) / 1_000_000) : 0)
            if start.handle >= 0 { Glibc.close(start.handle) }
        }
    }

    private static func taken(from starts: borrowing Mutex<[CellStart]>) -> [CellStart] {
        starts.withLock { starts in
            defer { starts = [] }
            return starts
        }
    }
}
