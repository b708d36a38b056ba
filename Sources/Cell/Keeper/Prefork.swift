import CSandbox
import Glibc
import Synchronization

/// Cells that are made before there is work for them: by dividing this process while it is small.
///
/// A program takes some 20 ms until its libraries are in place; a process that divides has them. It
/// may do so only while it has a single thread and knows nothing worth stealing, which is at its
/// very beginning. Cells that take the place of others, and more than were made, are started as
/// programs.
package enum Prefork {
    private static let born = Mutex<[CellStart]>([])

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

    /// Ends those that nobody took, whatever state they are in.
    package static func close() {
        let starts = born.withLock { born in
            defer { born = [] }
            return born
        }
        // One that was stopped would never hear that its line is closed.
        for start in starts { _ = emb_cell_kill(start.process, start.handle) }
        for start in starts {
            Glibc.close(start.line)
            Glibc.close(start.region)
            _ = emb_cell_reap(start.process, CellKeeper.buryMilliseconds)
            if start.handle >= 0 { Glibc.close(start.handle) }
        }
    }
}
