import Raster
import Theming

/// A block for empty, failed or finished states: graphic, title, subtitle and buttons, stacked and
/// centred.
package struct StateView: Sendable {
    package var content: StateContent
    package var style: StateStyle

    package init(_ content: StateContent, style: StateStyle) {
        self.content = content
        self.style = style
    }

    /// Returns the direction of the first text that is not empty.
    package func direction() throws(ArtworkError) -> TextDirection {
        let texts = [content.title, content.subtitle] + content.buttons.map(\.title)
        let first = texts.first { !PlainText($0).isEmpty } ?? ""
        return try TextBlock(first, style: style.title).direction
    }

    /// The buttons with their styles; further buttons reuse the last style.
    var buttons: [(StateContent.Button, StateStyle.Button)] {
        guard let last = style.buttons.last else { return [] }
        return content.buttons.prefix(StateContent.buttonsLimit).enumerated().map {
            ($1, $0 < style.buttons.count ? style.buttons[$0] : last)
        }
    }

    /// Draws the block. Boxes are on whole points, so that their edges are sharp.
    package func sketch() throws(ArtworkError) -> Sketch {
        let direction = try direction()
        let (graphicWidth, graphicHeight) = style.iconOrAnimationSize
        let width = max(style.width, graphicWidth + style.insets.sides).roundedUpToEven
        let inner = max(1, width - style.insets.sides)
        let shift = style.insets.shift(direction)
        let name = content.label ?? PlainText(content.title, keepsLines: false).text
        // A block without a name is decoration.
        var sketch = Sketch(
            width: width, height: 0, title: name.isEmpty ? nil : name, summary: content.summary)
        var stack = StateStack(y: style.insets.top)

        func words(
            _ text: String, as role: Sketch.Role, _ look: TextStyle, _ color: Color,
            maxWidth: Double, gap: Double
        ) throws(ArtworkError) {
            guard !PlainText(text).isEmpty else { return }
            let block = try TextBlock(
                text, style: look, maxWidth: min(maxWidth, inner), alignment: .center,
                direction: direction)
            let y = stack.place(height: block.height, gap: gap)
            let mark = Sketch.Mark.text(block, x: (width - block.width) / 2 + shift, y: y, color)
            sketch.add(.part(role, [mark]))
        }

        if let graphic = content.animation?.still ?? content.icon {
            let y = stack.place(height: graphicHeight, gap: 0)
            let x = ((width - graphicWidth) / 2 + shift).rounded()
            let box = Box(x: x, y: y, width: graphicWidth, height: graphicHeight)
            sketch.add(.part(.decoration, marks(of: graphic, in: box)))
        }
        try words(
            content.title, as: .heading, style.title, style.titleColor,
            maxWidth: style.titleMaxWidth, gap: style.gapBelowGraphic)
        try words(
            content.subtitle, as: .paragraph, style.subtitle, style.subtitleColor,
            maxWidth: style.subtitleMaxWidth, gap: style.gapBelowTitle)
        var gap = style.gapAboveButtons
        for (button, look) in buttons {
            try draw(
                button, look, gap: gap, direction: direction, stack: &stack, on: &sketch)
            gap = style.gapBetweenButtons
        }
        sketch.height = (stack.y + style.insets.bottom).rounded(.up)
        let frame = Box(x: 0, y: 0, width: width, height: sketch.height, radius: style.radius)
        // Inside a clip the background has square corners: two antialiased edges would show a seam.
        let clips = style.clips && style.radius > 0
        let ground = clips ? Box(x: 0, y: 0, width: width, height: sketch.height) : frame
        sketch.putBehind(.fill(ground, style.background))
        if clips { sketch.clip(to: frame) }
        return sketch
    }

    private func draw(
        _ button: StateContent.Button, _ look: StateStyle.Button, gap: Double,
        direction: TextDirection, stack: inout StateStack, on sketch: inout Sketch
    ) throws(ArtworkError) {
        let outer =
            button.horizontalSpacers.map { max(1, sketch.width - 2 * max(0, $0)) }
            ?? max(1, sketch.width - style.insets.sides)
        // The spacers of a full-width button are measured from the edges of the block.
        let block = try TextBlock(
            button.title, style: look.text, maxWidth: max(1, outer - 2 * look.padding),
            alignment: .center, direction: direction)
        // Long titles wrap; the space above and below is that of a single line.
        let rest = max(StateStyle.leastButtonMargin, (look.height - look.text.lineHeight) / 2)
            .rounded()
        let height = max(look.height, block.height + 2 * rest)
        let width =
            button.horizontalSpacers == nil
            ? min(outer, (block.width + 2 * look.padding).roundedUpToEven) : outer
        let shift = button.horizontalSpacers == nil ? style.insets.shift(direction) : 0
        let x = (sketch.width - width) / 2 + shift
        let y = stack.place(height: height, gap: gap)
        let radius = button.touchesEdges ? 0 : look.radius
        let top = y + ((height - block.height) / 2).rounded()
        sketch.add(
            .part(
                button.safeLink.map { .link($0) } ?? .button,
                [
                    .fill(
                        Box(x: x, y: y, width: width, height: height, radius: radius),
                        look.background),
                    .text(
                        block, x: (sketch.width - block.width) / 2 + shift, y: top,
                        look.foreground),
                ]))
    }

    /// Returns the graphic, in the middle of a box.
    func marks(of graphic: StateGraphic, in box: Box) -> [Sketch.Mark] {
        switch graphic {
        case .icon(let icon):
            let side = min(box.width, box.height)
            let (x, y) = (box.x + box.width / 2, box.y + box.height / 2)
            let half = (side / 4).rounded()
            return [
                .fill(Box(center: x, y, radius: side / 2), style.plate.background),
                .drawing(
                    SketchDrawing(icon),
                    Box(x: x - half, y: y - half, width: 2 * half, height: 2 * half),
                    tint: style.plate.foreground),
            ]
        case .drawing(let drawing):
            let tint = drawing.isTemplate ? style.plate.foreground : nil
            return [.drawing(drawing, box.fitting(drawing.width, drawing.height), tint: tint)]
        case .picture(let picture):
            let upright = picture.uprightSize
            return [
                .picture(picture, box.fitting(Double(upright.width), Double(upright.height)))
            ]
        }
    }
}

/// The vertical position of the next item while items are stacked.
private struct StateStack {
    var y: Double
    private var isEmpty = true

    init(y: Double) {
        self.y = y
    }

    /// Reserves room and returns where it begins; the first item has no gap above it.
    mutating func place(height: Double, gap: Double) -> Double {
        if !isEmpty { y += gap }
        isEmpty = false
        let top = y
        y += height
        return top
    }
}

extension Double {
    /// The smallest even number that is at least this value.
    fileprivate var roundedUpToEven: Double { (self / 2).rounded(.up) * 2 }
}
