import Glibc
import Synchronization
import System
import Transport

/// Writes frames to a descriptor, one whole after the other, on a thread of its own: a reader who is
/// slow holds nobody but those who have something for him.
final class FrameWriter: Sendable {
    private struct State {
        var frames = Deque<[UInt8]>()
        var bytes = 0
        var isClosed = false
        /// When the frame was begun that is being written.
        var frameStart: UInt64?
        /// Nothing more is written, or nobody waits for it.
        var isLeft = false
        var failure: Errno?
        var waiter: Waiter<Void>?

        /// Forgets what waits, and says who waits for room.
        mutating func dropAll() -> Waiter<Void>? {
            _ = frames.removeAll()
            defer { waiter = nil }
            return waiter
        }
    }

    private static let bytesLimit = 8 << 20
    /// How soon it is noticed that nobody reads any more while there is nothing to write.
    private static let lookMilliseconds = 200
    /// How long a frame may take once an end is wished for.
    private static let patienceNanoseconds: UInt64 = 2_000_000_000

    private let descriptor: Int32
    private let state = Mutex(State())
    private let work = Semaphore()
    /// Signalled when nothing more is written, or nobody waits for it.
    private let end = Semaphore()
    private let onFailure: @Sendable () -> Void

    /// - Parameter onFailure: is called when nothing can be written any more.
    init(_ descriptor: Int32, onFailure: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.onFailure = onFailure
    }

    /// `false` where the system gives no thread.
    func start() -> Bool {
        Thread.start("emblem-frames") { [self] in
            run()
            state.withLock { $0.isLeft = true }
            end.signal()
        }
    }

    var failure: Errno? { state.withLock { $0.failure } }

    /// Takes a frame, and waits while many are not yet read.
    func send(_ frame: [UInt8]) async {
        let waiter = Waiter<Void>()
        let isFull = state.withLock { state in
            guard state.failure == nil, !state.isLeft else { return false }
            state.frames.append(frame)
            state.bytes += frame.count
            guard state.bytes > Self.bytesLimit else { return false }
            state.waiter = waiter
            return true
        }
        work.signal()
        if isFull { await waiter.value { waiter.resume(returning: ()) } }
    }

    /// Writes what is left and waits for it, unless it is dropped.
    func close() {
        state.withLock { $0.isClosed = true }
        work.signal()
        end.wait()
    }

    /// From now on a frame that its reader does not take in time ends the writing: whoever stands still
    /// would hold the process for ever. A thread looks after that, since all others may be waiting.
    func hurry() {
        let start = MonotonicClock.now
        let isWatched = Thread.start("emblem-hurry") { [self] in
            let pause = Semaphore()
            while let began = state.withLock({ $0.isLeft ? nil : $0.frameStart ?? .max }) {
                let now = MonotonicClock.now
                if began < now, now - max(began, start) >= Self.patienceNanoseconds {
                    return drop()
                }
                _ = pause.wait(milliseconds: Self.lookMilliseconds)
            }
        }
        if !isWatched { drop() }
    }

    /// Drops what is not yet written. A thread that stands in the middle of a frame is left there.
    private func drop() {
        let waiter = state.withLock { state in
            state.isLeft = true
            return state.dropAll()
        }
        waiter?.resume(returning: ())
        work.signal()
        end.signal()
        onFailure()
    }

    private enum Turn {
        case write([UInt8])
        case wait
        case end
    }

    private func run() {
        while true {
            let turn = state.withLock { state in
                guard state.failure == nil, !state.isLeft else { return Turn.end }
                if let frame = state.frames.popFirst() {
                    state.frameStart = MonotonicClock.now
                    return .write(frame)
                }
                return state.isClosed ? .end : .wait
            }
            switch turn {
            case .end: return
            case .wait:
                if !work.wait(milliseconds: Self.lookMilliseconds), isUnread { fail(Errno(EPIPE)) }
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

    /// The other end of the pipe is closed.
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
