import Glibc

/// A thread of the operating system, with all signals left to others.
package struct KeeperThread: Sendable {
    private let id: pthread_t

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// `nil` when the system gives none.
    package init?(_ run: @escaping @Sendable () -> Void) {
        let body = unsafe Unmanaged.passRetained(Body(run))
        var id = pthread_t()
        let outcome = unsafe pthread_create(
            &id, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                var all = sigset_t()
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                body.run()
                return nil
            }, body.toOpaque())
        guard outcome == 0 else {
            unsafe body.release()
            return nil
        }
        self.id = id
    }

    /// Waits for its end.
    package func join() { pthread_join(id, nil) }
}
