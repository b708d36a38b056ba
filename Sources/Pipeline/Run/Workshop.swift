import Cell
import Render
import Transport

/// What the jobs of one run share: the settings, the renderer, and the permits.
package struct Workshop: Sendable {
    package let settings: RunSettings
    /// Where pictures are rendered.
    package let place: RenderPlace
    /// Counted in renderers.
    package let renderers: Budget
    /// Counted in bytes of sources that were read.
    package let bodies: Budget
    /// Counted in bytes that decoding works in.
    package let pixels: Budget
    /// The way to the network.
    package let network: NetworkDoor
    let shelf: PlaceholderShelf

    /// - Parameter cells: processes to render in; without them it is done here.
    package init(settings: RunSettings, renderer: Renderer, cells: CellPool? = nil) {
        self.settings = settings
        place = cells.map { .cells($0) } ?? .inProcess(renderer, memoryBytes: settings.decodeBytes)
        renderers = Budget(total: settings.jobs)
        bodies = Budget(total: settings.bodyBytes)
        pixels = Budget(total: settings.decodeBytes)
        var network = settings.network
        network.bodyLimit = settings.bytesLimit
        network.heldBytesLimit = settings.bodyBytes
        self.network = NetworkDoor(network)
        shelf = PlaceholderShelf()
    }

    /// What most pictures decode in: asked for at once, so that they need not wait for an answer.
    var smallPictureBytes: Int { min(12 << 20, pixels.total / (4 * settings.jobs)) }

    /// What the place knows of themes and sizes.
    package var renderer: Renderer { place.renderer }

    /// Makes one item without storing it.
    package func draw(_ item: BatchItem) async -> (record: ItemRecord, rendering: Rendering?) {
        await Job(shop: self).draw(item)
    }
}
