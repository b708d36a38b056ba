/// The place where orders are carried out: this process or worker processes.
///
/// The same orders have the same results in either, except those that crash a process.
package protocol RenderBackend: Sendable {
    /// The renderer on this side, which knows themes and sizes.
    var renderer: Renderer { get }

    /// The renderers and the memory that the orders share.
    var permits: Permits { get }

    /// Carries out an order as soon as it has a renderer and its memory.
    func render(_ order: RenderOrder) async -> RenderAnswer

    /// Ends what the backend started; later orders are refused.
    func close()

    /// The reason why no further order can be carried out, if there is one.
    var failure: OrderError? { get }
}
