import Artwork
import Raster
import Render

/// An order as it is stored in the region, without its image.
package struct WorkerOrder {
    package let subject: RenderOrder.Subject
    package let recipe: Recipe
    /// The most memory that the order may take for decoding.
    package let allowanceBytes: Int

    package init(_ order: RenderOrder, allowanceBytes: Int) {
        subject = order.subject
        // The placeholder has a separate order, so its image, which may be large, is not sent with
        // this one.
        var recipe = order.recipe
        recipe.placeholder = .none
        self.recipe = recipe
        self.allowanceBytes = allowanceBytes
    }

    package var bytes: [UInt8] {
        var wire = WireWriter()
        switch subject {
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
        case .raster: preconditionFailure("Pixels are drawn where they are.")
        }
        wire.put(recipe)
        wire.put(allowanceBytes)
        return wire.bytes
    }

    package init(_ wire: inout WireReader) throws(WireDamage) {
        switch try wire.byte() {
        case 0: subject = .picture
        case 1: subject = .icon(try wire.choice())
        case 2: subject = .initials(Initials(checked: try wire.text(limit: .max)))
        case 3:
            let sides = 1...Sketch.longestSide
            subject = .graphic(
                in: PixelSize(
                    width: try wire.number(in: sides), height: try wire.number(in: sides)))
        case 4: subject = .check
        case 5: subject = .pixels
        default: throw WireDamage()
        }
        recipe = try wire.recipe()
        allowanceBytes = try wire.number()
        try wire.finish()
    }
}
