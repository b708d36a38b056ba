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
    /// The first is the one that made the others.
    private static let born = Mutex<[CellStart]>([])
    /// How long one is waited for that should be there.
    private static let meetMilliseconds: Int32 = 5000

    /// Divides this process `count` times. To be called before anything else of the program; the
    /// processes die with the calling thread, and when nobody takes them, with this process.
    package static func prepare(count: Int) {
        // Where something is refused there are fewer: whoever needs a cell later starts it, and
        // hears why none can be had.
        var starts: [CellStart] = []
        do throws(CellFault) {
            for _ in 0..<count { starts.append(try CellStart()) }
        } catch {}
        CellStart.divide(into: &starts)
        born.withLock { $0 = starts }
    }

    /// The numbers of those that nobody took yet.
    package static var processes: [pid_t] {
        born.withLock { starts in
            starts.indices.compactMap { index in
                starts[index].meets(milliseconds: meetMilliseconds) ? starts[index].process : nil
            }
        }
    }

    static func take() -> CellStart? {
        while var start = born.withLock({ $0.popLast() }) {
            if start.meets(milliseconds: meetMilliseconds) { return start }
            start.abandon()
        }
        return nil
    }

    /// Ends those that nobody took, whatever state they are in.
    package static func close() {
        var starts = born.withLock { born in
            defer { born = [] }
            return born
        }
        // One that was stopped would never hear that its line is closed. The first goes first, and
        // makes no more of them.
        for index in starts.indices
        where starts[index].meets(milliseconds: meetMilliseconds) {
            _ = emb_cell_kill(starts[index].process, starts[index].handle)
        }
        for start in starts {
            start.abandon()
            guard start.process > 0 else { continue }
            _ = emb_cell_reap(start.process, CellKeeper.buryMilliseconds)
            if start.handle >= 0 { Glibc.close(start.handle) }
        }
    }
}
