import Raster

/// A drawing of a component: what stands where, in points.
///
/// It is made once and can leave as pixels of any scale and as SVG, which show the same.
package struct Sketch: Sendable {
    /// One thing that is drawn, over those before it.
    package enum Mark: Sendable {
        /// A box filled with a colour.
        case fill(Box, Color)
        /// A line of this width along the inner edge of a box.
        case border(Box, width: Double, Color)
        /// Lines of text with the upper left corner of their block at `x`, `y`.
        case text(TextBlock, x: Double, y: Double, Color)
        /// A drawing stretched to a box; a tint replaces its colours.
        case drawing(SketchDrawing, Box, tint: Color?)
        /// Pixels stretched to a box.
        case picture(SketchPicture, Box)
        /// Marks of which only what lies in a box is seen.
        case clipped(Box, [Mark])
    }

    package var width: Double
    package var height: Double
    package private(set) var marks: [Mark] = []
    /// What the drawing shows, in words, for those who do not see it.
    package var title: String?
    /// More about it.
    package var summary: String?

    package init(width: Double, height: Double, title: String? = nil, summary: String? = nil) {
        self.width = width
        self.height = height
        self.title = title
        self.summary = summary
    }

    package mutating func add(_ mark: Mark) {
        marks.append(mark)
    }

    /// Lays something under everything that is there.
    package mutating func putBehind(_ mark: Mark) {
        marks.insert(mark, at: 0)
    }

    /// Lays another sketch over this one, its upper left corner at `x`, `y`.
    package mutating func add(_ other: Sketch, x: Double, y: Double) {
        marks += other.marks.map { $0.moved(x: x, y: y) }
    }

    /// Adds a built-in icon in a box.
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
        }
    }
}
