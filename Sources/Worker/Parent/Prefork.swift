import CSandbox
import Glibc
import Synchronization

/// Workers that are made before there is work for them: by dividing this process while it is small.
///
/// A program takes 19 ms of the processors and more until its libraries are in place. This process
/// divides once, and the one that comes of it opens what draws, and then makes the others. It may be
/// done only while this one has a single thread and knows nothing worth stealing, which is at its very beginning. Workers that
/// take the place of others, and more than were made, are started as programs.
package enum Prefork {
    /// The most that are worth making where nobody says how many will be of use. A spare costs half a
    /// millisecond, one that is started as a program nineteen.
    package static let mostGuessed = 16

    private struct Born {
        /// The first is the one that makes the others.
        var starts: [WorkerStart] = []
        /// It has made none of them yet, and waits to be called.
        var isWaiting = false

        /// Has the first one open what draws and make the others.
        mutating func wake() {
            guard isWaiting else { return }
            isWaiting = false
            starts.first?.call()
        }
    }

    private static let born = Mutex(Born())
    /// How long one is waited for that should be there.
    private static let meetMilliseconds: Int32 = 5000

    /// Makes `count` workers. To be called before anything else of the program; the processes die with
    /// the calling thread, and when nobody takes them, with this process.
    ///
    /// - Parameter mayIdle: most likely there is nothing to draw, so that nothing is opened before the
    ///   first one is taken.
    package static func prepare(count: Int, mayIdle: Bool = false) {
        // Where something is refused there are fewer: whoever needs a worker later starts it, and
        // hears why none can be had.
        var starts: [WorkerStart] = []
        do throws(WorkerFault) {
            for _ in 0..<count { starts.append(try WorkerStart()) }
        } catch {}
        WorkerStart.divide(into: &starts, awaitsCall: mayIdle)
        born.withLock { [starts] in
            $0 = Born(starts: starts, isWaiting: mayIdle && !starts.isEmpty)
        }
    }

    /// The numbers of those that nobody took yet.
    package static var processes: [pid_t] {
        var starts = born.withLock { born in
            born.wake()
            return born.starts
        }
        for index in starts.indices {
            _ = starts[index].awaitNumber(milliseconds: meetMilliseconds)
        }
        born.withLock { [starts] in $0.starts = starts }
        return starts.map(\.process).filter { $0 > 0 }
    }

    /// How many there are that nobody took yet.
    static var count: Int { born.withLock { $0.starts.count } }
    /// Those among them that the first one may still have to make.
    static var unbornCount: Int { born.withLock { $0.starts.count { $0.process == 0 } } }

    /// The next one in the order of their birth; the one that makes the others comes last.
    static func take() -> WorkerStart? {
        let next = born.withLock { born in
            born.wake()
            return born.starts.count > 1 ? born.starts.remove(at: 1) : born.starts.popLast()
        }
        guard var start = next else { return nil }
        if start.awaitNumber(milliseconds: meetMilliseconds) { return start }
        // Whatever keeps the first one from making this one keeps it from the others.
        start.abandon()
        close()
        return nil
    }

    /// Ends those that nobody took, whatever state they are in.
    package static func close() {
        var starts = born.withLock { born in
            defer { born.starts = [] }
            return born.starts
        }
        // One that was stopped would never hear that its socket is closed. The first goes first, and
        // makes no more of them: whoever is there now says so at once.
        for index in starts.indices
        where starts[index].awaitNumber(milliseconds: meetMilliseconds) {
            _ = emb_worker_kill(starts[index].process, starts[index].handle)
        }
        for start in starts {
            start.abandon()
            guard start.process > 0 else { continue }
            _ = emb_worker_reap(start.process, start.handle, WorkerKeeper.buryMilliseconds)
            if start.handle >= 0 { Glibc.close(start.handle) }
        }
    }
}
