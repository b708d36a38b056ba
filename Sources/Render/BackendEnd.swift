import System

/// The end of a backend, which runs in a background thread.
package struct BackendEnd: ~Copyable {
    private let thread: Thread?

    package init(of backend: any RenderBackend) {
        thread = Thread("emblem-end") { backend.close() }
        if thread == nil { backend.close() }
    }

    deinit { thread?.join() }

    /// Waits for that thread.
    package consuming func wait() {}
}
