import Render

/// What loads the sources of the network for a run, where that is not the network itself.
package protocol SourceLoader: Sendable {
    /// What is at `url`.
    ///
    /// - Throws: `.failure` for what is wrong with the source, `.canceled` when the task was.
    func load(_ url: String) async throws(JobStop) -> LoadedSource
}

/// Somebody who has a picture, and hands it over when its turn comes.
package protocol GivenSource: Sendable {
    /// The picture.
    ///
    /// - Throws: `.failure` for what is wrong with it, `.canceled` when the task was.
    func load() async throws(JobStop) -> LoadedSource
}

/// What somebody else loaded.
package struct LoadedSource: Sendable {
    /// The bytes of a file; none where something else is drawn.
    package let bytes: [UInt8]
    /// What is drawn where nothing has to be decoded.
    package let subject: RenderOrder.Subject?
    /// The memory that it takes.
    package let byteCount: Int
    /// Stands for that memory where the loader accounts for it.
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
