import System

/// The end of a backend, beside which something else can be done.
package struct BackendEnd: ~Copyable {
    private let thread: Thread?

    package init(of backend: any RenderBackend) {
        thread = Thread("emblem-end") { backend.close() }
        if thread == nil { backend.close() }
    }

    deinit { thread?.join() }

    /// Waits until nothing of it is left.
    package consuming func wait() {}
}
