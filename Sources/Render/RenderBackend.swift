import Codecs

/// Where orders are carried out: in this process, or in workers. The same orders have the same
/// outcomes in either, but for those that bring a process down.
package protocol RenderBackend: Sendable {
    /// What knows themes and sizes, on this side.
    var renderer: Renderer { get }

    /// Carries out an order; `admit` is asked for the memory that decoding takes.
    func render(
        _ order: RenderOrder, admit: (RenderCost) async -> Bool
    ) async -> RenderAnswer

    /// Ends what the backend started; orders that come later are refused.
    func close()

    /// Why no order can be carried out any more, where that is so.
    var failure: OrderError? { get }
}
