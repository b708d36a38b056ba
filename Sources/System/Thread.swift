import CShims
import Glibc
import Synchronization

/// A thread of the operating system that blocks all signals.
package struct Thread: Sendable {
    private let id: pthread_t

    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts a detached thread; returns false if the system has no resources for it.
    @discardableResult
    package static func start(
        _ name: String, stackBytes: Int? = nil, _ run: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let thread = Thread(name, stackBytes: stackBytes, run) else { return false }
        pthread_detach(thread.id)
        return true
    }

    /// Starts a thread that must be joined. The system shows at most 15 bytes of its name.
    ///
    /// - Parameter stackBytes: the size of the stack; nil is the system's default.
    package init?(
        _ name: String, stackBytes: Int? = nil, _ run: @escaping @Sendable () -> Void
    ) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        if let stackBytes { unsafe pthread_attr_setstacksize(&attributes, stackBytes) }
        let body = unsafe Unmanaged.passRetained(Body(name, run))
        var id = pthread_t()
        let outcome = unsafe pthread_create(
            &id, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                var all = sigset_t()
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                unsafe emb_name_thread(body.name)
                body.run()
                return nil
            }, body.toOpaque())
        guard outcome == 0 else {
            unsafe body.release()
            return nil
        }
        self.id = id
    }

    /// Moves the calling thread to another processor than `busy`, the processor of its creator, if
    /// the process may use one.
    package static func leaveProcessor(_ busy: Int32) { emb_leave_processor(busy) }

    package static var processor: Int32 { emb_processor() }

    /// Waits for the end of the thread; on the thread itself, detaches it instead.
    package func join() {
        if pthread_equal(id, pthread_self()) != 0 {
            pthread_detach(id)
        } else {
            pthread_join(id, nil)
        }
    }
}

/// A counting semaphore that starts at zero.
@safe
package final class Semaphore: @unchecked Sendable {
    // The semaphore is thread-safe, and its address never changes.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() {
        unsafe semaphore.initialize(to: sem_t())
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Releases one waiting thread, or the next thread that waits.
    package func signal() {
        unsafe sem_post(semaphore)
    }

    package func wait() {
        while unsafe sem_wait(semaphore) != 0 {
            precondition(errno == EINTR, "The system refuses to wait for a semaphore.")
        }
    }

    /// Waits for at most this many milliseconds.
    ///
    /// - Returns: whether a signal came.
    package func wait(milliseconds: Int) -> Bool {
        unsafe emb_semaphore_wait(semaphore, Int32(clamping: milliseconds)) != 0
    }
}

/// The wait of one task for one value.
///
/// The owner may resume it from any thread, before or after the task starts to wait; only the first
/// value counts. Register the waiter *before* calling `value`, which calls `onCancel` immediately
/// if the task is already cancelled.
@usableFromInline
package final class Waiter<Value: Sendable>: Sendable {
    @usableFromInline enum State {
        case open
        case waiting(CheckedContinuation<Value, Never>)
        case resumed(Value)
    }

    @usableFromInline let state = Mutex(State.open)

    @inlinable package init() {}

    /// Returns the value as soon as there is one.
    ///
    /// - Parameter onCancel: called if the task is cancelled while it waits; it must remove the
    ///   waiter from its registration, and resume it if it was still registered.
    @inlinable package func value(onCancel: @escaping @Sendable () -> Void) async -> Value {
        if case .resumed(let value) = state.withLock({ $0 }) { return value }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Value? = state.withLock { state in
                    if case .resumed(let value) = state { return value }
                    state = .waiting(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            onCancel()
        }
    }

    @inlinable package func resume(returning value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .resumed: return nil
            case .open:
                state = .resumed(value)
                return nil
            case .waiting(let continuation):
                state = .resumed(value)
                return continuation
            }
        }
        continuation?.resume(returning: value)
    }
}
