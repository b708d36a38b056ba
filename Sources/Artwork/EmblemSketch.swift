import Codecs
import Raster
import Theming

package enum EmblemContent: Sendable {
    case icon(BuiltInIcon)
    case initials(Initials)
    case drawing(SketchDrawing)
    case picture(SketchPicture)

    package init(_ graphic: StateGraphic) {
        self =
            switch graphic {
            case .icon(let icon): .icon(icon)
            case .drawing(let drawing): .drawing(drawing)
            case .picture(let picture): .picture(picture)
            }
    }
}

extension EmblemStyle {
    /// Returns the emblem as a drawing in points, independent of the scale and without rounding to
    /// pixels.
    package func sketch(
        of content: EmblemContent, title: String? = nil, summary: String? = nil
    ) throws(ArtworkError) -> Sketch {
        let width = canvasWidth(of: content)
        let frame = Box(
            x: 0, y: 0, width: width, height: heightPoints, radius: radiusPoints, corner: corner)
        var sketch = Sketch(width: width, height: heightPoints, title: title, summary: summary)
        var inside: [Sketch.Mark] = [.fill(frame, colors.background)]
        // Inside a clip the background has square corners: two antialiased edges would show a seam.
        var ground = frame
        ground.radius = 0
        let clipped: [Sketch.Mark] = [.fill(ground, colors.background)]
        switch content {
        case .icon(let icon):
            let side = heightPoints * iconShare
            let box = Box(
                x: (width - side) / 2, y: (heightPoints - side) / 2, width: side, height: side)
            inside.append(.drawing(SketchDrawing(icon), box, tint: colors.foreground))
        case .initials(let initials):
            inside.append(try letters(initials, width: width))
        case .drawing(let drawing):
            let tint = self.tint.applies(to: drawing.isTemplate ? .template : .drawing)
            inside = [
                .clipped(
                    frame,
                    clipped + [
                        .drawing(
                            drawing, box(drawing.width, drawing.height, width, atMost: .infinity),
                            tint: tint ? colors.foreground : nil)
                    ])
            ]
        case .picture(let picture):
            let size = picture.uprightSize
            inside = [
                .clipped(
                    frame,
                    clipped + [
                        .picture(
                            picture,
                            box(
                                Double(size.width), Double(size.height), width,
                                atMost: upscale ? .infinity : 1))
                    ])
            ]
        }
        for mark in inside { sketch.add(mark) }
        if borderPoints > 0 {
            sketch.add(.border(frame, width: borderPoints, borderColor))
        }
        return sketch
    }

    private func canvasWidth(of content: EmblemContent) -> Double {
        guard width == .auto else { return heightPoints }
        let aspect: Double
        switch content {
        case .icon, .initials: return heightPoints
        case .drawing(let drawing): aspect = drawing.width / drawing.height
        case .picture(let picture):
            aspect = Double(picture.uprightSize.width) / Double(picture.uprightSize.height)
        }
        let wanted = (heightPoints - 2 * insetPoints) * aspect + 2 * insetPoints
        guard wanted.isFinite else { return heightPoints }
        let most = heightPoints * Double(Self.widestAspect)
        return min(most, max(heightPoints, wanted)).rounded()
    }

    private var insetPoints: Double { min(borderPoints + paddingPoints, heightPoints / 2) }

    /// Returns the box of content of the size `wide` × `high` that fits into, or fills, an emblem
    /// of this `width` without its insets. `largest` limits the scale.
    private func box(
        _ wide: Double, _ high: Double, _ width: Double, atMost largest: Double
    ) -> Box {
        let inset = insetPoints
        let room = Box(
            x: inset, y: inset, width: width - 2 * inset, height: heightPoints - 2 * inset)
        guard wide > 0, high > 0 else { return room }
        let (across, down) = (room.width / wide, room.height / high)
        let scale = min(mode == .fit ? min(across, down) : max(across, down), largest)
        return Box(
            x: room.x + (room.width - wide * scale) / 2,
            y: room.y + (room.height - high * scale) / 2, width: wide * scale,
            height: high * scale)
    }

    /// Returns the initials at two fifths of the height, smaller if they are too wide.
    private func letters(_ initials: Initials, width: Double) throws(ArtworkError) -> Sketch.Mark {
        func block(_ size: Double) throws(ArtworkError) -> TextBlock {
            try TextBlock(
                initials.text, style: TextStyle(size: size, weight: .semibold), alignment: .center)
        }
        let size = heightPoints * InitialsText.sizeShare
        var letters = try block(size)
        let widest = heightPoints * InitialsText.widthShare
        if letters.width > widest { letters = try block(size * widest / letters.width) }
        let top = ((heightPoints + letters.style.capHeight) / 2).rounded() - letters.style.baseline
        return .text(letters, x: (width - letters.width) / 2, y: top, colors.foreground)
    }
}
