/// What loads the sources of the network for a run, where that is not the network itself.
package protocol SourceLoader: Sendable {
    /// The bytes at `url`, and what stands for their memory until it is let go.
    ///
    /// - Throws: `.failure` for what is wrong with the source, `.canceled` when the task was.
    func load(_ url: String) async throws(JobStop) -> (bytes: [UInt8], held: (any Sendable)?)
}
