import Synchronization
import System
import Transport

/// Reads the rows of a stream on a separate thread, and pauses while too many rows are in memory.
final class RowFeed: Sendable {
    private struct State {
        var rows = Deque<StreamRow>()
        /// The memory of all rows that were read and have not ended.
        var heldBytes = 0
        var isOver = false
        var isStopped = false
        var failure: FrameError?
        var waiter: Waiter<Void>?
    }

    private let state = Mutex(State())
    private let bytesLimit: Int
    /// Signalled when the reader may continue.
    private let room = Semaphore()

    /// - Parameter bytesLimit: The limit for the bytes of rows that have not ended; reading pauses
    ///   beyond it.
    init(bytesLimit: Int) { self.bytesLimit = bytesLimit }

    /// Begins to read; `false` if the system cannot start a thread.
    func start(_ descriptor: Int32, pictureLimit: Int, dialect: ListDialect) -> Bool {
        Thread.start("emblem-rows") { [self] in
            var reader = FrameReader(
                descriptor, pictureLimit: pictureLimit, dialect: dialect)
            do throws(FrameError) {
                while let row = try reader.next(), take(row) {}
                end(nil)
            } catch {
                end(error)
            }
        }
    }

    /// The error of the stream; report it after all rows before it were processed.
    var failure: FrameError? { state.withLock { $0.failure } }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Returns the rows that were read since the last call; nil at the end of the stream.
    func next() async -> [StreamRow]? {
        while true {
            let waiter = Waiter<Void>()
            let rows: [StreamRow]?? = state.withLock { state in
                if !state.rows.isEmpty { return state.rows.removeAll() }
                if state.isOver { return .some(nil) }
                state.waiter = waiter
                return nil
            }
            if let rows { return rows }
            await waiter.value { waiter.resume(returning: ()) }
            if Task.isCancelled { return nil }
        }
    }

    func release(_ row: StreamRow) {
        state.withLock { $0.heldBytes -= row.bytes }
        room.signal()
    }

    /// Ends the feed and discards the rows that have not begun.
    func stop() { end(nil, dropping: true) }

    /// Adds a row once there is room; `false` if the feed has ended.
    private func take(_ row: StreamRow) -> Bool {
        while true {
            let (isTaken, isOver, waiter) = state.withLock { state in
                // A single row always fits, even above the limit.
                let fits = state.heldBytes == 0 || state.heldBytes + row.bytes <= bytesLimit
                guard !state.isOver, fits else {
                    return (false, state.isOver, nil as Waiter<Void>?)
                }
                state.heldBytes += row.bytes
                state.rows.append(row)
                defer { state.waiter = nil }
                return (true, false, state.waiter)
            }
            waiter?.resume(returning: ())
            if isTaken { return true }
            if isOver { return false }
            room.wait()
        }
    }

    private func end(_ failure: FrameError?, dropping: Bool = false) {
        let waiter = state.withLock { state in
            state.isOver = true
            state.failure = state.failure ?? failure
            if dropping {
                state.isStopped = true
                _ = state.rows.removeAll()
            }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: ())
        room.signal()
    }
}
