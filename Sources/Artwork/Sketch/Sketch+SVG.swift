import Codecs
import Notation
import Raster
import System

extension Sketch {
    /// The font family of the text, with generic fallbacks. The program's own fallback fonts are
    /// not named, because viewers would use the first of them also for scripts that another covers
    /// better.
    package static let fontFamilies = "Inter, system-ui, sans-serif"

    /// Returns the sketch as an SVG document, with text as text and one element per line.
    ///
    /// `idPrefix` prefixes all ids, so that several documents can be embedded in one page.
    package func svg(idPrefix: String = "") throws(ArtworkError) -> String {
        var script = SketchScript(idPrefix: idPrefix)
        // The parts of an image are hidden from screen readers, those of a group are not.
        let role = marks.contains(where: \.hasParts) ? "group" : title != nil ? "img" : nil
        script.markup.tag(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("width", Markup.number(width)),
                ("height", Markup.number(height)),
                ("viewBox", "0 0 \(Markup.number(width)) \(Markup.number(height))"),
                ("role", role), ("aria-hidden", role == nil ? "true" : nil),
            ])
        script.markup.raw("\n")
        if let title {
            script.line { $0.element("title", words: title) }
            if let summary { script.line { $0.element("desc", words: summary) } }
        }
        for mark in marks { try script.write(mark) }
        script.markup.raw("</svg>\n")
        return script.markup.text
    }
}

/// Writes the marks of a sketch as SVG elements.
private struct SketchScript {
    /// The prefix of all ids.
    let idPrefix: String
    var markup = Markup()
    private var clipCount = 0

    init(idPrefix: String) {
        self.idPrefix = idPrefix
    }

    mutating func line(_ write: (inout Markup) -> Void) {
        write(&markup)
        markup.raw("\n")
    }

    /// Returns a new id.
    private mutating func name() -> String {
        clipCount += 1
        return "\(idPrefix)clip\(clipCount)"
    }

    mutating func write(_ mark: Sketch.Mark) throws(ArtworkError) {
        switch mark {
        case .fill(let box, let color):
            shape(box, color.attributes("fill"))
        case .border(let box, let width, let color):
            let width = min(width, min(box.width, box.height) / 2)
            guard width > 0 else { return }
            shape(
                box.inset(by: width / 2),
                [("fill", "none")] + color.attributes("stroke")
                    + [("stroke-width", Markup.number(width))])
        case .text(let block, let x, let y, let color):
            for row in block.lines where !row.text.isEmpty {
                write(row, of: block, x: x, y: y, color)
            }
        case .drawing(let drawing, let box, let tint):
            write(drawing, box, tint)
        case .picture(let picture, let box):
            try write(picture, box)
        case .clipped(let box, let marks):
            let name = name()
            line { $0.tag("clipPath", [("id", name)]) }
            shape(box, [])
            line { $0.raw("</clipPath>") }
            line { $0.tag("g", [("clip-path", "url(#\(name))")]) }
            for mark in marks { try write(mark) }
            line { $0.raw("</g>") }
        case .part(let role, let marks):
            let (name, attributes) = role.element
            line { $0.tag(name, attributes) }
            for mark in marks { try write(mark) }
            line { $0.raw("</\(name)>") }
        }
    }

    private mutating func shape(_ box: Box, _ paint: [Attribute]) {
        if box.isCircle {
            let radius = box.width / 2
            line {
                $0.tag(
                    "circle",
                    [
                        ("cx", Markup.number(box.x + radius)),
                        ("cy", Markup.number(box.y + radius)), ("r", Markup.number(radius)),
                    ] + paint, isEmpty: true)
            }
        } else if box.corner == .circular || box.roundness == 0 {
            let radius = box.roundness > 0 ? Markup.number(box.roundness) : nil
            line { $0.tag("rect", box.attributes + [("rx", radius)] + paint, isEmpty: true) }
        } else {
            line { $0.tag("path", [("d", box.pathData)] + paint, isEmpty: true) }
        }
    }

    private mutating func write(
        _ row: TextBlock.Line, of block: TextBlock, x: Double, y: Double, _ color: Color
    ) {
        let isLeft = row.direction == .rightToLeft
        // The anchor is the point that stays fixed if the reader's font has other widths.
        let (anchor, share) =
            switch block.alignment {
            case .center: ("middle", 0.5)
            case .leading: ("start", isLeft ? 1.0 : 0)
            case .trailing: ("end", isLeft ? 0 : 1.0)
            }
        line {
            $0.element(
                "text",
                [
                    ("x", Markup.number(x + row.x + row.width * share)),
                    ("y", Markup.number(y + row.baseline)),
                    ("font-family", Sketch.fontFamilies),
                    ("font-size", Markup.number(block.style.size)),
                    ("font-weight", String(block.style.weight.rawValue)),
                    ("text-anchor", anchor == "start" ? nil : anchor),
                    ("direction", isLeft ? "rtl" : nil),
                ] + color.attributes("fill"), words: row.text)
        }
    }

    private mutating func write(_ picture: SketchPicture, _ box: Box) throws(ArtworkError) {
        let png = try rethrowing(
            ImageEncoder.encode(picture.pixels, EncodeSettings(format: .png)),
            as: ArtworkError.encoding)
        let data = Base64.encode(png.span)
        line {
            $0.tag(
                "image",
                box.attributes + [
                    ("preserveAspectRatio", "none"),
                    ("href", "data:image/png;base64,\(data)"),
                ], isEmpty: true)
        }
    }

    private mutating func write(_ drawing: SketchDrawing, _ box: Box, _ tint: Color?) {
        if let icon = drawing.icon, let tint {
            line {
                $0.tag("svg", box.attributes + [("viewBox", "0 0 24 24")])
                $0.tag(
                    "g",
                    [
                        ("fill", "none"), ("stroke-width", "2"), ("stroke-linecap", "round"),
                        ("stroke-linejoin", "round"),
                    ] + tint.attributes("stroke"))
                $0.raw(icon.body.replacing("'", with: "\"") + "</g></svg>")
            }
            return
        }
        let data = Base64.encode(drawing.svg.span)
        let image: [Attribute] =
            box.attributes + [
                ("preserveAspectRatio", "none"),
                ("href", "data:image/svg+xml;base64,\(data)"),
            ]
        guard let tint else {
            line { $0.tag("image", image, isEmpty: true) }
            return
        }
        let name = name()
        line { $0.tag("mask", [("id", name), ("mask-type", "alpha")]) }
        line { $0.tag("image", image, isEmpty: true) }
        line { $0.raw("</mask>") }
        line {
            $0.tag(
                "rect", box.attributes + tint.attributes("fill") + [("mask", "url(#\(name))")],
                isEmpty: true)
        }
    }
}

private typealias Attribute = (name: String, value: String?)

extension Sketch.Mark {
    /// Whether the mark has a part that screen readers announce.
    fileprivate var hasParts: Bool {
        switch self {
        case .part(let role, _): role != .decoration
        case .clipped(_, let marks): marks.contains(where: \.hasParts)
        case .fill, .border, .text, .drawing, .picture: false
        }
    }
}

extension Sketch.Role {
    fileprivate var element: (name: String, attributes: [Attribute]) {
        switch self {
        case .heading: ("g", [("role", "heading"), ("aria-level", "2")])
        case .paragraph: ("g", [("role", "paragraph")])
        case .button: ("g", [("role", "button")])
        case .link(let address): ("a", [("href", address)])
        case .decoration: ("g", [("aria-hidden", "true")])
        }
    }
}

extension Color {
    /// Returns the paint attribute of this name, with an opacity if the colour is not opaque.
    fileprivate func attributes(_ name: String) -> [Attribute] {
        var solid = self
        solid.alpha = 255
        let share = alpha == 255 ? nil : Markup.number(Double(alpha) / 255)
        return [(name, solid.hex), ("\(name)-opacity", share)]
    }
}

extension Box {
    fileprivate var attributes: [Attribute] {
        [
            ("x", Markup.number(x)), ("y", Markup.number(y)), ("width", Markup.number(width)),
            ("height", Markup.number(height)),
        ]
    }

    fileprivate var pathData: String {
        func text(_ point: Point) -> String {
            "\(Markup.number(point.x)) \(Markup.number(point.y))"
        }
        return outline.map { step in
            switch step {
            case .move(let to): "M\(text(to))"
            case .line(let to): "L\(text(to))"
            case .curve(let first, let second, let to):
                "C\(text(first)) \(text(second)) \(text(to))"
            case .close: "Z"
            }
        }.joined()
    }
}
