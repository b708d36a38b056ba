import System

/// A logo of a given kind, drawn as an SVG from a seed.
struct DrawnLogo {
    enum Kind: String, CaseIterable {
        case mark
        case raster
        case wordmark
        case disc
        case tile
        case white
        case dark
        case whiteBox = "white-box"
        case gradient
        case small
    }

    let width: Int
    let height: Int
    let svg: String

    /// - Parameter number: selects shapes, colours and margins; the same number draws the same logo.
    init(_ kind: Kind, number: Int) {
        let kinds = Kind.allCases
        let place = kinds.firstIndex(of: kind) ?? 0
        var pen = Pen(seed: UInt64(place * 1000 + number))
        width = kind == .wordmark ? 400 : 200
        height = kind == .wordmark ? 100 : 200
        var parts: [String] = []
        switch kind {
        case .mark, .raster, .small:
            parts.append(pen.shape(around: 100, 100, radius: pen.between(60, 98), pen.color()))
        case .wordmark:
            parts.append(pen.word(left: pen.between(4, 30), top: pen.between(10, 35), pen.color()))
        case .disc:
            parts.append("<circle cx='100' cy='100' r='100' fill='\(pen.color())'/>")
            parts.append(pen.shape(around: 100, 100, radius: pen.between(40, 60), "#ffffff"))
        case .tile:
            let radius = number % 2 == 0 ? 0 : pen.between(20, 44)
            parts.append(
                "<rect width='200' height='200' rx='\(radius)' fill='\(pen.color())'/>")
            parts.append(pen.shape(around: 100, 100, radius: pen.between(50, 66), "#ffffff"))
        case .white:
            parts.append(pen.shape(around: 100, 100, radius: pen.between(60, 98), "#ffffff"))
        case .dark:
            parts.append(pen.shape(around: 100, 100, radius: pen.between(60, 98), "#14161c"))
        case .whiteBox:
            parts.append("<rect width='200' height='200' fill='#ffffff'/>")
            parts.append(pen.shape(around: 100, 100, radius: pen.between(50, 90), pen.color()))
        case .gradient:
            parts.append(
                "<defs><linearGradient id='g' x2='\(number % 2)' y2='1'>"
                    + "<stop stop-color='\(pen.color())'/>"
                    + "<stop offset='1' stop-color='\(pen.color())'/></linearGradient></defs>"
                    + "<rect width='200' height='200' fill='url(#g)'/>")
            parts.append(pen.shape(around: 100, 100, radius: pen.between(50, 66), "#ffffff"))
        }
        svg =
            "<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)'>"
            + parts.joined() + "</svg>"
    }
}

/// Draws shapes with random whole numbers from a seed.
private struct Pen {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func between(_ low: Int, _ high: Int) -> Int {
        .random(in: low...high, using: &random)
    }

    /// Returns a strong colour that shows on white and on black.
    mutating func color() -> String {
        let colors = [
            "#d32f2f", "#1976d2", "#2e7d32", "#7b1fa2", "#ef6c00", "#00838f", "#c2185b", "#5d7a1f",
        ]
        return colors[between(0, colors.count - 1)]
    }

    mutating func shape(around x: Int, _ y: Int, radius: Int, _ color: String) -> String {
        switch between(0, 4) {
        case 0:
            return "<circle cx='\(x)' cy='\(y)' r='\(radius * 3 / 4)' fill='none' "
                + "stroke='\(color)' stroke-width='\(radius / 2)'/>"
        case 1:
            let (top, low) = (y - radius, y + radius)
            return "<path d='M\(x) \(top)L\(x + radius) \(low)H\(x - radius)Z' fill='\(color)'/>"
        case 2:
            let side = radius * 9 / 10
            return [
                (x - radius, y - radius), (x + radius - side, y - radius),
                (x - radius, y + radius - side),
            ]
            .map {
                "<rect x='\($0.0)' y='\($0.1)' width='\(side)' height='\(side)' fill='\(color)'/>"
            }
            .joined()
        case 3:
            return "<path d='M\(x - radius) \(y)A\(radius) \(radius) 0 0 1 \(x + radius) \(y)"
                + "A\(radius) \(radius) 0 0 1 \(x - radius) \(y)' fill='none'/>"
                + "<path d='M\(x - radius) \(y)Q\(x) \(y - 2 * radius) \(x + radius) \(y)"
                + "Q\(x) \(y + 2 * radius) \(x - radius) \(y)Z' fill='\(color)'/>"
        default:
            let bar = radius / 3
            return "<path d='M\(x - radius) \(y - radius)h\(bar)v\(radius)L\(x + radius - bar) "
                + "\(y - radius)h\(bar)v\(2 * radius)h\(-bar)v\(-radius)L\(x - radius + bar) "
                + "\(y + radius)h\(-bar)Z' fill='\(color)'/>"
        }
    }

    /// Returns letters of stems and bars.
    mutating func word(left: Int, top: Int, _ color: String) -> String {
        let (height, stem) = (between(30, 50), between(6, 10))
        return (0..<between(6, 9)).map { letter in
            let x = left + letter * (height * 3 / 4 + stem)
            let bars = (0..<3).filter { _ in between(0, 2) > 0 }.map { bar in
                "<rect x='\(x)' y='\(top + bar * (height - stem) / 2)' "
                    + "width='\(height * 3 / 4)' height='\(stem)' fill='\(color)'/>"
            }
            return "<rect x='\(x)' y='\(top)' width='\(stem)' height='\(height)' fill='\(color)'/>"
                + bars.joined()
        }.joined()
    }
}
