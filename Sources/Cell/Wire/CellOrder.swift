import Artwork
import Render

/// An order as it lies in the region, its picture beside it.
package struct CellOrder {
    package enum Content {
        case picture
        case icon(BuiltInIcon)
        case initials(Initials)
    }

    package let content: Content
    package let recipe: Recipe
    package let allowanceBytes: Int

    package init(_ order: RenderOrder) {
        content =
            switch order.content {
            case .picture: .picture
            case .icon(let icon): .icon(icon)
            case .initials(let initials): .initials(initials)
            }
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
        default: throw WireDamage()
        }
        recipe = try wire.recipe()
        allowanceBytes = try wire.number()
        try wire.finish()
    }
}
