import Render
import Transport

/// What the jobs of one run share: the settings, the renderer, and the permits.
package struct Workshop: Sendable {
    package let settings: RunSettings
    package let renderer: Renderer
    /// Counted in renderers.
    package let renderers: Budget
    /// Counted in bytes of sources that were read.
    package let bodies: Budget
    /// Counted in bytes that decoding works in.
    package let pixels: Budget
    /// The way to the network.
    package let network: NetworkDoor
    let shelf: PlaceholderShelf

    package init(settings: RunSettings, renderer: Renderer) {
        self.settings = settings
        self.renderer = renderer
        renderers = Budget(total: settings.jobs)
        bodies = Budget(total: settings.bodyBytes)
        pixels = Budget(total: settings.decodeBytes)
        var network = settings.network
        network.bodyLimit = settings.bytesLimit
        network.heldBytesLimit = settings.bodyBytes
        self.network = NetworkDoor(network)
        shelf = PlaceholderShelf()
    }

    /// Makes one item without storing it.
    package func draw(_ item: BatchItem) async -> (record: ItemRecord, rendering: Rendering?) {
        await Job(shop: self).draw(item)
    }
}
