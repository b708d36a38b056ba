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
        var failure: Errno?
        var waiter: Waiter<Void>?
    }

    private static let bytesLimit = 8 << 20
    /// How soon it is noticed that nobody reads any more while there is nothing to write.
    private static let lookMilliseconds = 200

    private let descriptor: Int32
    private let state = Mutex(State())
    private let work = Semaphore()
    private let thread = Mutex<Thread?>(nil)
    private let onFailure: @Sendable () -> Void

    /// - Parameter onFailure: is called once when nothing can be written any more.
    init(_ descriptor: Int32, onFailure: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.onFailure = onFailure
    }

    /// `false` where the system gives no thread.
    func start() -> Bool {
        guard let made = Thread("emblem-frames", { self.run() }) else { return false }
        thread.withLock { $0 = made }
        return true
    }

    var failure: Errno? { state.withLock { $0.failure } }

    /// Takes a frame, and waits while many are not yet read.
    func send(_ frame: [UInt8]) async {
        let waiter = Waiter<Void>()
        let isFull = state.withLock { state in
            guard state.failure == nil else { return false }
            state.frames.append(frame)
            state.bytes += frame.count
            guard state.bytes > Self.bytesLimit else { return false }
            state.waiter = waiter
            return true
        }
        work.signal()
        if isFull { await waiter.value { waiter.resume(returning: ()) } }
    }

    /// Writes what is left and waits for it.
    func close() {
        state.withLock { $0.isClosed = true }
        work.signal()
        thread.withLock { $0 }?.join()
    }

    private enum Turn {
        case write([UInt8])
        case wait
        case end
    }

    private func run() {
        while true {
            let turn = state.withLock { state in
                guard state.failure == nil else { return Turn.end }
                if let frame = state.frames.popFirst() { return .write(frame) }
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
            _ = state.frames.removeAll()
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: ())
        onFailure()
    }
}
