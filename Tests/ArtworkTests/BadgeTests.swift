import Artwork
import Codecs
import Raster
import Testing
import Theming

@Suite("Badges")
struct BadgeTests {
    private let artwork = EmblemArtwork()

    private func draw(
        _ text: String, _ appearance: BadgeAppearance = .danger, _ scheme: ColorScheme = .light,
        scale: Double = 1
    ) throws -> PixelBuffer {
        let badge = try #require(Badge(text, appearance: appearance))
        return try artwork.badge(
            badge, BadgeStyle(appearance, theme: .builtIn, scheme: scheme, scale: scale))
    }

    private static let texts = [
        "1", "3", "8", "W", "99+", "New", "gyqpj", "ÄÉÅ", "Ệ", "متصل", "新着", "ใหม่", "😀", "👩‍👩‍👧 2", "…",
        "e\u{301}\u{302}\u{303}\u{304}", "\u{202E}abc", "a\u{0}b\nc\td", "-", ".", "हिन्दी", "ﷺ",
        String(repeating: "x\u{301}", count: 10_000), String(repeating: "word ", count: 2_000),
        "g" + String(repeating: "\u{323}", count: 10_000),
    ]

    @Test("a badge has four points above and below every text", arguments: texts)
    func clearance(text: String) throws {
        for scale in [1.0, 2, 3] {
            let pill = try draw(text, scale: scale)
            let color = Theme.builtIn.badgeColors(.danger, .light).background.pixel
            let clear = Int(4 * scale)
            #expect(pill.height == Int(22 * scale) && pill.width >= pill.height)
            #expect(pill.width <= Int(240 * scale))
            // The ends are round; between them every pixel of the bands has the pill's colour.
            for x in (pill.height / 2)..<(pill.width - pill.height / 2) {
                for y in Array(1..<clear) + Array((pill.height - clear)..<(pill.height - 1)) {
                    #expect(pill.rgba(x, y) == color, "\(text.prefix(9)) at \(x), \(y), \(scale)x")
                }
            }
        }
    }

    @Test(
        "odd theme measures of a badge are drawn or clamped",
        arguments: [
            ("height", "1"), ("height", "2048"), ("height", "33.5"), ("text", "0"),
            ("text", "10000"), ("padding", "10000"), ("max-width", "0"), ("max-width", "10000"),
            ("ring", "10000"),
        ])
    func oddMeasures(name: String, value: String) throws {
        let path =
            name == "height" ? "theme.dimension.height.badge" : "theme.dimension.badge.\(name)"
        let json = "{\"\(path)\":\(value)}"
        let theme = try Theme.builtIn.layering(Array(json.utf8), name: "odd.json").theme
        let badge = try #require(Badge("Everything new", appearance: .info))
        for scale in [1.0, 1.5, 3] {
            let pill = try artwork.badge(badge, BadgeStyle(.info, theme: theme, scale: scale))
            #expect(pill.width >= pill.height)
            var canvas = PixelBuffer(size: PixelSize(width: 72, height: 72))
            canvas.fill(blue)
            let style = BadgeStyle(.info, on: (72 / scale, 72 / scale), theme: theme, scale: scale)
            try artwork.lay(BadgeMark(badge), style, over: &canvas)
        }
    }

    @Test(
        "a badge is parsed from its end: a corner after the last @, an appearance after the last :",
        arguments: [
            ("3:danger", "3", BadgeAppearance.danger, BadgeCorner.topRight),
            ("3:danger@top-right", "3", .danger, .topRight),
            ("3:danger@bottom-left", "3", .danger, .bottomLeft),
            ("12:30:info", "12:30", .info, .topRight),
            ("12:30:info@top-left", "12:30", .info, .topLeft),
            ("a@b:info", "a@b", .info, .topRight),
            ("me@top-left:info", "me@top-left", .info, .topRight),
            ("a:info@b:danger@bottom-right", "a:info@b", .danger, .bottomRight),
            (" a \n b :neutral", "a b", .neutral, .topRight),
            ("dot:danger@bottom-left", "", .danger, .bottomLeft),
        ])
    func argument(
        argument: String, text: String, appearance: BadgeAppearance, corner: BadgeCorner
    ) throws {
        let mark = try BadgeMark(argument: argument)
        #expect(mark.badge.text == text && mark.badge.appearance == appearance)
        #expect(mark.corner == corner)
        #expect(try BadgeMark(argument: mark.argument) == mark)
    }

    @Test("a badge that cannot be parsed is refused with the reason")
    func faults() throws {
        #expect(try BadgeMark(argument: "3:danger").argument == "3:danger")
        for (text, fault) in [
            ("3", BadgeFault.noAppearance("3")), ("", .noAppearance("")),
            ("3@top-left", .noAppearance("3@top-left")),
            (" \u{200E}:danger", .noText), ("3:", .unknownAppearance("")),
            ("3:Danger", .unknownAppearance("Danger")), ("3:brand", .unknownAppearance("brand")),
            ("3:danger@middle", .unknownCorner("middle")), ("3:danger@", .unknownCorner("")),
            ("3:red@middle", .unknownAppearance("red@middle")),
        ] {
            #expect(throws: fault) { _ = try BadgeMark(argument: text) }
            #expect(!fault.description.isEmpty)
        }
    }

    @Test("a dot badge is round, a quarter of the component, and leaves the rest visible")
    func dot() throws {
        for text in ["dot:danger", ":danger"] {
            let mark = try BadgeMark(argument: text)
            #expect(mark.badge == .dot(.danger) && mark.argument == "dot:danger")
        }
        let color = Theme.builtIn.badgeColors(.danger, .light).background.pixel
        for (side, expected) in [(24.0, 6), (40, 10), (80, 20)] {
            for scale in [1.0, 2] {
                let pixels = Int(side * scale)
                var canvas = PixelBuffer(size: PixelSize(width: pixels, height: pixels))
                canvas.fill(blue)
                let style = BadgeStyle(
                    .danger, on: (side, side), theme: .builtIn, scale: scale)
                try artwork.lay(BadgeMark(.dot(.danger)), style, over: &canvas)
                let dot = expected * Int(scale)
                #expect(canvas.rgba(pixels - dot / 2, dot / 2) == color)
                #expect(canvas.rgba(pixels - 1, 0) != color, "it is round")
                let whole = (0..<pixels * pixels).count {
                    canvas.rgba($0 % pixels, $0 / pixels) == blue.pixel
                }
                #expect(Double(whole) > 0.88 * Double(pixels * pixels), "\(side)@\(scale)")
            }
        }
    }

    @Test(
        "a badge lies in its corner with a clear ring around it",
        arguments: BadgeCorner.allCases)
    func corners(corner: BadgeCorner) throws {
        let badge = try #require(Badge("3", appearance: .success))
        let ground = Theme.builtIn.badgeColors(.success, .light).background.pixel
        for scale in [1.0, 2] {
            let side = Int(48 * scale)
            var canvas = PixelBuffer(size: PixelSize(width: side, height: side))
            canvas.fill(blue)
            let style = BadgeStyle(.success, on: (48, 48), theme: .builtIn, scale: scale)
            try artwork.lay(BadgeMark(badge, corner: corner), style, over: &canvas)
            let pill = Int(16 * scale)
            let ring = Int(2 * scale)
            let isRight = corner == .topRight || corner == .bottomRight
            let isBottom = corner == .bottomLeft || corner == .bottomRight
            func at(_ x: Int, _ y: Int) -> [UInt8] {
                canvas.rgba(isRight ? side - 1 - x : x, isBottom ? side - 1 - y : y)
            }
            #expect(at(pill / 2, 2) == ground)
            for step in 0..<ring {
                #expect(at(pill / 2, pill + step)[3] < 8, "\(step)")
                #expect(at(pill + step, pill / 2)[3] < 8, "\(step)")
            }
            #expect(at(pill + ring, pill + ring) == blue.pixel)
            #expect(at(side - 1, side - 1) == blue.pixel)
            #expect(at(pill / 2, pill + ring) == blue.pixel)
        }
    }

    @Test(
        "initials under a badge are whole: neither the badge nor the circle hides a part of them",
        arguments: [
            "JD", "gy", "李小", "م\u{200C}ع", "สจ", "ŐŰ", "ÉQ", "🦊",
        ], BadgeCorner.allCases)
    func besideInitials(text: String, corner: BadgeCorner) throws {
        for badge in [try #require(Badge("99+", appearance: .danger)), .dot(.danger)] {
            for side in [24.0, 32, 48, 80] {
                for scale in [1.0, 1.5, 3] {
                    let mark = BadgeMark(badge, corner: corner)
                    let layout = ComponentLayout.square(.avatar, points: Int(side))
                    let style = EmblemStyle(layout, theme: .builtIn, scale: scale)
                    let badgeStyle = BadgeStyle(
                        .danger, on: (side, side), theme: .builtIn, scale: scale)
                    let fitted = try artwork.initials(
                        #require(Initials(text)), style, beside: (mark, badgeStyle))
                    let letters = inked(fitted.pixels)
                    let before = artwork.finish(fitted, style)
                    var canvas = before.copy()
                    try artwork.lay(mark, badgeStyle, over: &canvas)
                    let hidden = letters.count { x, y in
                        before.rgba(x, y)[3] < 255 || canvas.rgba(x, y) != before.rgba(x, y)
                    }
                    #expect(
                        hidden == 0 && !letters.isEmpty, "\(text) at \(side)@\(scale): \(hidden)")
                }
            }
        }
    }

    @Test(
        "initials under a badge are whole in an SVG", arguments: ["JD", "ŐŰ", "ÉQ"],
        BadgeCorner.allCases)
    func besideInitialsInDrawings(text: String, corner: BadgeCorner) throws {
        let badge = try #require(Badge("99+", appearance: .danger))
        for side in [24, 32, 40, 48] {
            let style = EmblemStyle(.square(.avatar, points: side), theme: .builtIn)
            var sketch = try style.sketch(of: .initials(#require(Initials(text))))
            try sketch.lay(
                BadgeMark(badge, corner: corner), in: .builtIn, .light, radius: style.radiusPoints)
            // The initials are the first text, and the text of the badge is the second.
            let index = try #require(
                sketch.marks.firstIndex { if case .text = $0 { true } else { false } })
            func pixels(_ isWanted: (Int) -> Bool) throws -> PixelBuffer {
                var part = Sketch(width: sketch.width, height: sketch.height)
                for (index, mark) in sketch.marks.enumerated() where isWanted(index) {
                    part.add(mark)
                }
                return try part.pixels(scale: 4)
            }
            let letters = inked(try pixels { $0 == index })
            let rest = try pixels { $0 != index }
            let hidden = letters.count { x, y in
                rest.rgba(x, y) != style.colors.background.pixel
            }
            #expect(hidden == 0 && !letters.isEmpty, "\(text) at \(side): \(hidden)")
        }
    }

    /// Returns the places of the pixels that a text covers, without the faintest at its edges.
    private func inked(_ pixels: borrowing PixelBuffer) -> [(x: Int, y: Int)] {
        var places: [(x: Int, y: Int)] = []
        for y in 0..<pixels.height {
            for x in 0..<pixels.width where pixels.rgba(x, y)[3] > 16 { places.append((x, y)) }
        }
        return places
    }

    @Test("a text that is too long is cut and keeps its size and its padding")
    func cut() throws {
        let style = BadgeStyle(.info, theme: .builtIn)
        func letters(_ text: String) throws -> (size: Double, left: Double, last: Character?) {
            let sketch = try #require(Badge(text, appearance: .info)).sketch(style)
            for case .text(let block, let x, _, _) in sketch.marks {
                return (block.style.size, x, block.lines.first?.text.last)
            }
            throw ArtworkError.cairoFailed
        }
        let short = try letters("Hello")
        let long = try letters("Hello, this is a considerably longer badge than others are")
        #expect(short.size == long.size && long.last == "…")
        #expect(long.left >= short.left - 1)
    }
}
