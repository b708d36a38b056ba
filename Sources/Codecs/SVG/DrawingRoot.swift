/// The part of the root's look that librsvg 2.54 draws unlike browsers.
///
/// It turns a root about a corner instead of its centre, leaves out what lies behind a root, and
/// draws nothing where an attribute of the root is malformed.
struct DrawingRoot: Sendable {
    /// The transform of the whole drawing about its centre.
    private(set) var transform: SVGTransform?
    /// The colour behind the drawing.
    private(set) var background: CSSColor?
    /// The larger side of the view box in user units.
    private(set) var longestSide = 100.0
    /// The smaller side of the view box in user units.
    private(set) var shortestSide = 100.0
    /// The parts of the text that librsvg must not see.
    private var hidden: [Range<Int>] = []

    init(_ text: Span<UInt8>, _ attributes: [XMLWalker.Attribute]) {
        var hasBox = false
        for attribute in attributes {
            let whole = attribute.name.lowerBound..<(attribute.value.upperBound + 1)
            if text.hasName("viewBox", attribute.name) {
                let sides = Self.sides(ofBox: attribute.value, text)
                if let sides { takeSides(sides.0, sides.1) } else { hidden.append(whole) }
                hasBox = sides != nil
            } else if text.hasName("preserveAspectRatio", attribute.name) {
                let value = text.string(attribute.value.prefix(256))
                if !Self.isAspect(value) { hidden.append(whole) }
            } else if text.hasName("transform", attribute.name) {
                takeTransform(text, attribute.value, whole)
            } else if text.hasName("style", attribute.name) {
                takeStyle(text, attribute.value)
            }
        }
        guard !hasBox else { return }
        let lengths = ["width", "height"].compactMap { (name: StaticString) -> Double? in
            let value = attributes.first { text.hasName(name, $0.name) }?.value
            return value.flatMap { SVGNumber(text, from: $0.lowerBound, to: $0.upperBound)?.value }
        }
        if lengths.count == 2 { takeSides(lengths[0], lengths[1]) }
    }

    /// The text without what librsvg must not see, at the same length; nil where that is nothing.
    func cleaned(_ text: Span<UInt8>) -> [UInt8]? {
        guard !hidden.isEmpty else { return nil }
        var bytes = text.array(0..<text.count)
        for range in hidden { for index in range { bytes[index] = UInt8(ascii: " ") } }
        return bytes
    }

    private mutating func takeSides(_ width: Double, _ height: Double) {
        longestSide = max(width, height)
        shortestSide = min(width, height)
    }

    private mutating func takeTransform(
        _ text: Span<UInt8>, _ value: Range<Int>, _ whole: Range<Int>
    ) {
        guard let found = SVGTransform(text.string(value.prefix(4096))), found != .identity else {
            return
        }
        transform = found
        hidden.append(whole)
    }

    private mutating func takeStyle(_ text: Span<UInt8>, _ range: Range<Int>) {
        // A transform about another point is left to `FeatureCensus`.
        let hasOrigin = text.contains("transform-origin", in: range)
        var reader = StyleDeclarations(text, range)
        while let declaration = reader.next() {
            if text.hasName("transform", declaration.name), !hasOrigin {
                takeTransform(text, declaration.value, declaration.whole)
            } else if text.hasName("background", declaration.name)
                || text.hasName("background-color", declaration.name),
                let color = CSSColor(
                    text.string(declaration.value.prefix(256)), isDark: false, depth: 0)
            {
                background = color.alpha > 0 ? color : nil
                hidden.append(declaration.whole)
            }
        }
    }

    /// The sides of a view box; nil for anything but four numbers.
    private static func sides(
        ofBox range: Range<Int>, _ text: Span<UInt8>
    ) -> (Double, Double)? {
        var numbers: [Double] = []
        var index = range.lowerBound
        while true {
            while index < range.upperBound, SVGSign.isSpace(text[index]) || text[index] == 0x2C {
                index += 1
            }
            guard index < range.upperBound else { break }
            guard let number = SVGNumber(text, from: index, to: range.upperBound),
                number.value.isFinite, numbers.count < 4
            else { return nil }
            numbers.append(number.value)
            index = number.range.upperBound
        }
        return numbers.count == 4 ? (numbers[2], numbers[3]) : nil
    }

    private static func isAspect(_ value: String) -> Bool {
        var words = value.split(whereSeparator: \.isWhitespace)[...]
        if words.first == "defer" { words.removeFirst() }
        guard let align = words.popFirst() else { return false }
        let places = ["Min", "Mid", "Max"]
        let isKnown =
            align == "none" || places.contains { x in places.contains { "x\(x)Y\($0)" == align } }
        return isKnown && (words.isEmpty || words == ["meet"] || words == ["slice"])
    }
}
