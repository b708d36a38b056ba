import Render

/// A renderer and its theme in encoded form, made once for all its orders.
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
