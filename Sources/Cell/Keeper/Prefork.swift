import CSandbox
import Glibc
import Synchronization

/// Cells that are made before there is work for them: by dividing this process while it is small.
///
/// A program takes 19 ms of the processors and more until its libraries are in place. This process
/// divides once, and the one that comes of it opens what draws, and then makes the others. It may be
/// done only while this one has a single thread and knows nothing worth stealing, which is at its very beginning. Cells that
/// take the place of others, and more than were made, are started as programs.
package enum Prefork {
    /// The most that are worth making where nobody says how many will be of use. A spare costs half a
    /// millisecond, one that is started as a program nineteen.
    package static let mostGuessed = 16

    /// The first is the one that made the others.
    private static let born = Mutex<[CellStart]>([])
    /// The first has made none of them yet, and waits to be called.
    private static let isWaiting = Atomic(false)
    /// How long one is waited for that should be there.
    private static let meetMilliseconds: Int32 = 5000

    /// Makes `count` cells. To be called before anything else of the program; the processes die with
    /// the calling thread, and when nobody takes them, with this process.
    ///
    /// - Parameter mayIdle: most likely there is nothing to draw, so that nothing is opened before the
    ///   first one is taken.
    package static func prepare(count: Int, mayIdle: Bool = false) {
        // Where something is refused there are fewer: whoever needs a cell later starts it, and
        // hears why none can be had.
        var starts: [CellStart] = []
        do throws(CellFault) {
            for _ in 0..<count { starts.append(try CellStart()) }
        } catch {}
        CellStart.divide(into: &starts, awaitsCall: mayIdle)
        isWaiting.store(mayIdle && !starts.isEmpty, ordering: .relaxed)
        born.withLock { $0 = starts }
    }

    /// Has the first one open what draws and make the others.
    private static func wake() {
        guard isWaiting.exchange(false, ordering: .relaxed) else { return }
        born.withLock { $0.first?.call() }
    }

    /// The numbers of those that nobody took yet.
    package static var processes: [pid_t] {
        wake()
        var starts = born.withLock { $0 }
        for index in starts.indices {
            _ = starts[index].awaitNumber(milliseconds: meetMilliseconds)
        }
        born.withLock { [starts] in $0 = starts }
        return starts.map(\.process).filter { $0 > 0 }
    }

    /// How many there are that nobody took yet.
    static var count: Int { born.withLock { $0.count } }
    /// Those among them that the first one may still have to make.
    static var unbornCount: Int { born.withLock { $0.count { $0.process == 0 } } }

    /// The next one in the order of their birth; the one that makes the others comes last.
    static func take() -> CellStart? {
        wake()
        guard var start = born.withLock({ $0.count > 1 ? $0.remove(at: 1) : $0.popLast() }) else {
            return nil
        }
        if start.awaitNumber(milliseconds: meetMilliseconds) { return start }
        // Whatever keeps the first one from making this one keeps it from the others.
        start.abandon()
        close()
        return nil
    }

    /// Ends those that nobody took, whatever state they are in.
    package static func close() {
        var starts = born.withLock { born in
            defer { born = [] }
            return born
        }
        // One that was stopped would never hear that its line is closed. The first goes first, and
        // makes no more of them: whoever is there now says so at once.
        for index in starts.indices
        where starts[index].awaitNumber(milliseconds: meetMilliseconds) {
            _ = emb_cell_kill(starts[index].process, starts[index].handle)
        }
        for start in starts {
            start.abandon()
            guard start.process > 0 else { continue }
            _ = emb_cell_reap(start.process, start.handle, CellKeeper.buryMilliseconds)
            if start.handle >= 0 { Glibc.close(start.handle) }
        }
    }
}
