import Glibc
import Synchronization
import System
import Transport

/// Writes whole frames to a descriptor on a separate thread, so that a slow reader blocks only
/// tasks that send frames.
final class FrameWriter: Sendable {
    private struct State {
        var frames = Deque<[UInt8]>()
        var bytes = 0
        var isClosed = false
        /// The start time of the frame that is being written.
        var frameStart: UInt64?
        /// Whether writing has ended or was abandoned.
        var hasEnded = false
        var failure: Errno?
        var waiter: Waiter<Void>?

        /// Discards the queued frames and returns the task that waits for room.
        mutating func dropAll() -> Waiter<Void>? {
            _ = frames.removeAll()
            defer { waiter = nil }
            return waiter
        }
    }

    private static let bytesLimit = 8 << 20
    /// The interval at which an idle writer checks whether the reader is gone.
    private static let checkMilliseconds = 200
    /// The time limit for a frame after a stop was requested.
    private static let patienceNanoseconds: UInt64 = 2_000_000_000

    private let descriptor: Int32
    private let state = Mutex(State())
    /// Signalled when a frame is queued or the writer is closed.
    private let work = Semaphore()
    /// Signalled when writing has ended or was abandoned.
    private let end = Semaphore()
    private let onFailure: @Sendable () -> Void

    /// - Parameter onFailure: Called when writing is no longer possible.
    init(_ descriptor: Int32, onFailure: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.onFailure = onFailure
    }

    /// Starts the thread; returns false if the system cannot.
    func start() -> Bool {
        Thread.start("emblem-frames") { [self] in
            run()
            state.withLock { $0.hasEnded = true }
            end.signal()
        }
    }

    var failure: Errno? { state.withLock { $0.failure } }

    /// Queues a frame, and waits while too many bytes are queued.
    func send(_ frame: [UInt8]) async {
        let waiter = Waiter<Void>()
        let isFull = state.withLock { state in
            guard state.failure == nil, !state.hasEnded else { return false }
            state.frames.append(frame)
            state.bytes += frame.count
            guard state.bytes > Self.bytesLimit else { return false }
            state.waiter = waiter
            return true
        }
        work.signal()
        if isFull { await waiter.value { waiter.resume(returning: ()) } }
    }

    /// Closes the queue, and waits until the remaining frames are written or discarded.
    func close() {
        state.withLock { $0.isClosed = true }
        work.signal()
        end.wait()
    }

    /// Limits the time for each frame from now on, and discards all frames once the reader exceeds
    /// it. A blocked reader would otherwise keep the process alive. A separate thread checks the
    /// time, because all other threads may be waiting.
    func hurry() {
        let start = MonotonicClock.now
        let isWatched = Thread.start("emblem-hurry") { [self] in
            let pause = Semaphore()
            while let began = state.withLock({ $0.hasEnded ? nil : $0.frameStart ?? .max }) {
                let now = MonotonicClock.now
                if began < now, now - max(began, start) >= Self.patienceNanoseconds {
                    return drop()
                }
                _ = pause.wait(milliseconds: Self.checkMilliseconds)
            }
        }
        if !isWatched { drop() }
    }

    /// Discards the unwritten frames. A thread that is blocked in a write is abandoned.
    private func drop() {
        let waiter = state.withLock { state in
            state.hasEnded = true
            return state.dropAll()
        }
        waiter?.resume(returning: ())
        work.signal()
        end.signal()
        onFailure()
    }

    private enum Step {
        case write([UInt8])
        case wait
        case end
    }

    private func run() {
        while true {
            let step = state.withLock { state in
                guard state.failure == nil, !state.hasEnded else { return Step.end }
                if let frame = state.frames.popFirst() {
                    state.frameStart = MonotonicClock.now
                    return .write(frame)
                }
                return state.isClosed ? .end : .wait
            }
            switch step {
            case .end: return
            case .wait:
                if !work.wait(milliseconds: Self.checkMilliseconds), isUnread { fail(Errno(EPIPE)) }
            case .write(let frame): write(frame)
            }
        }
    }

    private func write(_ frame: [UInt8]) {
        do throws(Errno) {
            try SystemCalls.write(descriptor, frame.span)
        } catch {
            fail(error)
            return
        }
        let waiter = state.withLock { state in
            state.frameStart = nil
            state.bytes -= frame.count
            guard state.bytes <= Self.bytesLimit / 2 else { return nil as Waiter<Void>? }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: ())
    }

    /// Whether the other end of the pipe is closed.
    private var isUnread: Bool {
        var look = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&look, 1, 0) > 0 && look.revents & Int16(POLLERR | POLLNVAL) != 0
    }

    private func fail(_ error: Errno) {
        let waiter = state.withLock { state in
            state.failure = error
            return state.dropAll()
        }
        waiter?.resume(returning: ())
        onFailure()
    }
}
