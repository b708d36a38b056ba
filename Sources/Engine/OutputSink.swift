import Render

/// Where finished pictures go.
package protocol OutputSink: Sendable {
    /// Equal names are one place: what stands there need not be handed over again.
    var isOnePlace: Bool { get }

    /// Takes the pictures of an item, and says under which names.
    ///
    /// - Parameter past: what an earlier run stored of the item.
    func store(
        _ images: [RenderedImage], of item: BatchItem, past: PastItem?
    ) throws(JobStop) -> [OutputRecord]
}
