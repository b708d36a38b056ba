import CShims
import Glibc

/// A thread of the operating system, with all signals left to others.
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

    /// Starts a thread that nobody waits for; false when the system gives none.
    @discardableResult
    package static func start(
        _ name: String, stackBytes: Int? = nil, _ run: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let thread = Thread(name, stackBytes: stackBytes, run) else { return false }
        pthread_detach(thread.id)
        return true
    }

    /// Starts a thread that must be joined. `top -H` and the like show its name, at most 15
    /// bytes of it.
    ///
    /// - Parameter stackBytes: the room for its calls; `nil` is what the system gives.
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

    /// Lets the calling thread begin on another processor than that of whoever made it and goes on, where
    /// there is one.
    package static func leaveProcessor(_ busy: Int32) { emb_leave_processor(busy) }

    /// The processor that the calling thread is on.
    package static var processor: Int32 { emb_processor() }

    /// Waits for the end; called from the thread itself it lets go instead.
    package func join() {
        if pthread_equal(id, pthread_self()) != 0 {
            pthread_detach(id)
        } else {
            pthread_join(id, nil)
        }
    }
}
