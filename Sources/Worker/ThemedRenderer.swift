import Render

/// A renderer with its theme as workers are told of it, made once for all orders that it is for.
package struct ThemedRenderer: Sendable {
    package let renderer: Renderer
    let theme: [UInt8]

    package init(_ renderer: Renderer) {
        self.renderer = renderer
        var wire = WireWriter()
        wire.put(renderer.theme)
        theme = wire.bytes
    }
}
