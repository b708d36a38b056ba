import Render

/// A replacement for the network that loads sources for a run.
package protocol SourceLoader: Sendable {
    /// Loads `url`.
    ///
    /// - Throws: `.failure` if the source is at fault, `.canceled` if the task was cancelled.
    func load(_ url: String) async throws(JobStop) -> LoadedSource
}

/// A holder of a picture, which hands it over when the item's turn comes.
package protocol GivenSource: Sendable {
    /// - Throws: `.failure` if the picture is at fault, `.canceled` if the task was cancelled.
    func load() async throws(JobStop) -> LoadedSource
}

/// A source that a `SourceLoader` or `GivenSource` loaded.
package struct LoadedSource: Sendable {
    /// The bytes of a file; empty if `subject` is drawn.
    package let bytes: [UInt8]
    /// The subject to draw if nothing has to be decoded.
    package let subject: RenderOrder.Subject?
    /// The memory in use, in bytes.
    package let byteCount: Int
    /// Keeps the loader's own accounting of that memory alive.
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
