import System

/// A backend, which carries out orders in this process or in workers.
///
/// Both kinds of backend produce the same results, except for orders that crash a process.
package protocol RenderBackend: Sendable {
    /// The renderer in this process, with the theme of the orders.
    var renderer: Renderer { get }

    /// Carries out an order as soon as a slot and its memory are free.
    func render(_ order: RenderOrder) async -> RenderAnswer

    /// Ends the backend; later orders are refused.
    func close()

    /// The reason why the backend can carry out no further orders; nil while it can.
    var failure: OrderError? { get }
}

/// A background thread that closes a backend.
package struct BackendEnd: ~Copyable {
    private let thread: Thread?

    package init(of backend: any RenderBackend) {
        thread = Thread("emblem-end") { backend.close() }
        if thread == nil { backend.close() }
    }

    deinit { thread?.join() }

    /// Waits until the backend is closed.
    package consuming func wait() {}
}
