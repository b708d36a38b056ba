import Raster

/// A drawing of a component, in points. It is made once and can be exported as pixels of any scale
/// and as SVG.
package struct Sketch: Sendable {
    /// An element of the drawing, drawn over the elements before it.
    package enum Mark: Sendable {
        case fill(Box, Color)
        /// A line of this width along the inner edge of a box.
        case border(Box, width: Double, Color)
        /// Lines of text; the upper left corner of the block is at `x`, `y`.
        case text(TextBlock, x: Double, y: Double, Color)
        /// A drawing stretched to a box; a tint replaces its colours.
        case drawing(SketchDrawing, Box, tint: Color?)
        case picture(SketchPicture, Box)
        case clipped(Box, [Mark])
        /// Marks that a screen reader announces as one element of an SVG.
        case part(Role, [Mark])
    }

    /// The meaning of a part for screen readers.
    package enum Role: Hashable, Sendable {
        case heading, paragraph, button
        /// A button that is a link to this address.
        case link(String)
        /// A graphic that the texts next to it describe.
        case decoration
    }

    package var width: Double
    package var height: Double
    package private(set) var marks: [Mark] = []
    package var title: String?
    package var summary: String?

    package init(width: Double, height: Double, title: String? = nil, summary: String? = nil) {
        self.width = width
        self.height = height
        self.title = title
        self.summary = summary
    }

    /// Returns the description of a component for screen readers: its value and its hint, in the
    /// order in which they are read aloud.
    package static func summary(value: String?, hint: String?) -> String? {
        let parts = [value, hint].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    package mutating func add(_ mark: Mark) {
        marks.append(mark)
    }

    package mutating func putBehind(_ mark: Mark) {
        marks.insert(mark, at: 0)
    }

    /// Cuts off everything outside of a box.
    package mutating func clip(to box: Box) {
        marks = [.clipped(box, marks)]
    }

    mutating func replace(_ index: Int, with mark: Mark) {
        marks[index] = mark
    }

    /// Draws another sketch over this one with its upper left corner at `x`, `y`.
    package mutating func add(_ other: Sketch, x: Double, y: Double) {
        marks += other.marks.map { $0.moved(x: x, y: y) }
    }

    package mutating func add(_ icon: BuiltInIcon, in box: Box, color: Color) {
        marks.append(.drawing(SketchDrawing(icon), box, tint: color))
    }
}

extension Sketch.Mark {
    package func moved(x: Double, y: Double) -> Sketch.Mark {
        switch self {
        case .fill(let box, let color): .fill(box.moved(x: x, y: y), color)
        case .border(let box, let width, let color):
            .border(box.moved(x: x, y: y), width: width, color)
        case .text(let block, let left, let top, let color):
            .text(block, x: left + x, y: top + y, color)
        case .drawing(let drawing, let box, let tint):
            .drawing(drawing, box.moved(x: x, y: y), tint: tint)
        case .picture(let picture, let box): .picture(picture, box.moved(x: x, y: y))
        case .clipped(let box, let marks):
            .clipped(box.moved(x: x, y: y), marks.map { $0.moved(x: x, y: y) })
        case .part(let role, let marks): .part(role, marks.map { $0.moved(x: x, y: y) })
        }
    }
}
