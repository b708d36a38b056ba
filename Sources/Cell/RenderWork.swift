import Artwork
import Codecs
import Raster
import Render

/// What an order asks for, once the header of its picture is known: the same in this process and in
/// a cell.
extension CellOrder.Content {
    /// What carrying it out takes.
    func cost(
        of header: ImageHeader, _ recipe: Recipe, _ renderer: Renderer, memoryBytes: Int,
        headerBytes: Int
    ) -> RenderCost {
        switch self {
        case .picture, .icon, .initials:
            RenderCost(
                of: header, recipe, renderer, memoryBytes: memoryBytes, headerBytes: headerBytes)
        case .graphic(let box):
            RenderCost(of: header, graphicIn: box, recipe, memoryBytes: memoryBytes)
        case .check: RenderCost(checking: header, recipe)
        case .pixels: RenderCost(pixelsOf: header, recipe, memoryBytes: memoryBytes)
        }
    }

    /// Carries it out on a picture whose cost was granted.
    func carryOut(
        _ bytes: Span<UInt8>, header: ImageHeader, _ request: DecodeRequest, _ recipe: Recipe,
        _ renderer: Renderer, observer: Renderer.StepObserver
    ) throws(RenderError) -> Rendering {
        switch self {
        case .picture:
            try renderer.render(
                bytes, header: header, request: request, recipe: recipe, observer: observer)
        case .graphic(let box):
            try renderer.graphic(bytes, header: header, in: box, request, observer: observer)
        case .check:
            try renderer.check(bytes, header: header, request, observer: observer)
        case .pixels: try renderer.pixels(bytes, header: header, request, observer: observer)
        case .icon(let icon): try renderer.icon(icon, recipe: recipe, observer: observer)
        case .initials(let initials):
            try renderer.initials(initials, recipe: recipe, observer: observer)
        }
    }
}
