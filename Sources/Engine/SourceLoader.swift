import Render

/// A replacement for the network that loads sources for a run.
package protocol SourceLoader: Sendable {
    /// Loads the source at `url`.
    ///
    /// - Throws: `.failure` if the source cannot be loaded, `.canceled` if the task was cancelled.
    func load(_ url: String) async throws(JobStop) -> LoadedSource
}

/// An image that the calling program provides. It is loaded when its item is processed.
package protocol GivenSource: Sendable {
    /// Loads the image.
    ///
    /// - Throws: `.failure` if the image cannot be loaded, `.canceled` if the task was cancelled.
    func load() async throws(JobStop) -> LoadedSource
}

/// A source that a `SourceLoader` or `GivenSource` loaded.
package struct LoadedSource: Sendable {
    /// The bytes of an image file; empty if `subject` is drawn instead.
    package let bytes: [UInt8]
    /// The subject to draw if nothing has to be decoded.
    package let subject: RenderOrder.Subject?
    /// The memory that the source occupies, in bytes.
    package let byteCount: Int
    /// An object of the loader that lives as long as the source, for example to account for its
    /// memory.
    package let held: (any Sendable)?

    package init(_ bytes: [UInt8], held: (any Sendable)? = nil) {
        self.bytes = bytes
        self.held = held
        subject = nil
        byteCount = bytes.count
    }

    package init(_ subject: RenderOrder.Subject, byteCount: Int = 0) {
        self.subject = subject
        self.byteCount = byteCount
        bytes = []
        held = nil
    }
}
