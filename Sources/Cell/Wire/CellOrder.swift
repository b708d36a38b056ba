import Artwork
import Raster
import Render

/// An order as it lies in the region, its picture beside it.
package struct CellOrder {
    package enum Content {
        case picture
        case icon(BuiltInIcon)
        case initials(Initials)
        case graphic(in: PixelSize)
        case check
        case pixels

        init(_ content: RenderOrder.Content) {
            self =
                switch content {
                case .picture: .picture
                case .icon(let icon): .icon(icon)
                case .initials(let initials): .initials(initials)
                case .graphic(_, let box): .graphic(in: box)
                case .check: .check
                case .pixels: .pixels
                }
        }
    }

    package let content: Content
    package let recipe: Recipe
    package let allowanceBytes: Int

    package init(_ order: RenderOrder) {
        content = Content(order.content)
        // What stands in for the picture is an order of its own, and may be a large picture.
        var recipe = order.recipe
        recipe.placeholder = .none
        self.recipe = recipe
        allowanceBytes = order.allowanceBytes
    }

    package var bytes: [UInt8] {
        var wire = WireWriter()
        switch content {
        case .picture: wire.put(UInt8(0))
        case .icon(let icon):
            wire.put(UInt8(1))
            wire.put(choice: icon)
        case .initials(let initials):
            wire.put(UInt8(2))
            wire.put(Array(initials.text.utf8))
        case .graphic(let box):
            wire.put(UInt8(3))
            wire.put(box.width)
            wire.put(box.height)
        case .check: wire.put(UInt8(4))
        case .pixels: wire.put(UInt8(5))
        }
        wire.put(recipe)
        wire.put(allowanceBytes)
        return wire.bytes
    }

    package init(_ wire: inout WireReader) throws(WireDamage) {
        switch try wire.byte() {
        case 0: content = .picture
        case 1: content = .icon(try wire.choice())
        case 2: content = .initials(Initials(settled: try wire.text(limit: .max)))
        case 3:
            let sides = 1...Sketch.longestSide
            content = .graphic(
                in: PixelSize(
                    width: try wire.number(in: sides), height: try wire.number(in: sides)))
        case 4: content = .check
        case 5: content = .pixels
        default: throw WireDamage()
        }
        recipe = try wire.recipe()
        allowanceBytes = try wire.number()
        try wire.finish()
    }
}
