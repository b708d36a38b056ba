/// The properties of the root element that librsvg 2.54 draws differently from browsers.
///
/// librsvg applies the transform of a root about a corner instead of its centre, omits its
/// background, and draws nothing if an attribute of the root is malformed.
struct DrawingRoot: Sendable {
    /// The transform of the whole drawing about its centre.
    private(set) var transform: SVGTransform?
    private(set) var background: RootColor?
    /// The larger side of the view box in user units.
    private(set) var longestSide = 100.0
    /// The smaller side of the view box in user units.
    private(set) var shortestSide = 100.0
    /// The attributes and declarations that librsvg would draw wrongly, as ranges of the text.
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

    /// Overwrites the hidden ranges with spaces.
    func hide(in text: inout [UInt8]) {
        for range in hidden { for index in range { text[index] = UInt8(ascii: " ") } }
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
        // A transform with an explicit origin is not applied here; `FeatureCensus` reports it as
        // unsupported.
        let hasOrigin = text.contains("transform-origin", in: range)
        var reader = StyleDeclarations(text, range)
        while let declaration = reader.next() {
            if text.hasName("transform", declaration.name), !hasOrigin {
                takeTransform(text, declaration.value, declaration.whole)
            } else if text.hasName("background", declaration.name)
                || text.hasName("background-color", declaration.name),
                let color = RootColor(text.string(declaration.value.prefix(16)))
            {
                background = color.alpha > 0 ? color : nil
                hidden.append(declaration.whole)
            }
        }
    }

    /// Returns the sides of a view box; nil for anything but four numbers.
    private static func sides(
        ofBox range: Range<Int>, _ text: Span<UInt8>
    ) -> (Double, Double)? {
        var numbers: [Double] = []
        var index = range.lowerBound
        while true {
            while index < range.upperBound, SVGCharacter.isSpace(text[index]) || text[index] == 0x2C
            {
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

/// A background of the root, in hexadecimal digits or named `white`, `black` or `transparent`.
struct RootColor: Sendable {
    let red: Double
    let green: Double
    let blue: Double
    let alpha: Double

    init?(_ text: String) {
        let names = ["white": "#fff", "black": "#000", "transparent": "#0000"]
        let text = names[text.lowercased()] ?? text
        let digits = text.dropFirst().compactMap(\.hexDigitValue)
        guard text.first == "#", digits.count == text.count - 1 else { return nil }
        var bytes: [Int]
        switch digits.count {
        case 3, 4: bytes = digits.map { $0 * 17 }
        case 6, 8:
            bytes = stride(from: 0, to: digits.count, by: 2).map {
                digits[$0] * 16 + digits[$0 + 1]
            }
        default: return nil
        }
        if bytes.count == 3 { bytes.append(255) }
        red = Double(bytes[0]) / 255
        green = Double(bytes[1]) / 255
        blue = Double(bytes[2]) / 255
        alpha = Double(bytes[3]) / 255
    }
}

/// Validates the size attributes of the root before they are interpreted.
///
/// An image is damaged if its width, height or view box is zero, negative or NaN. Words,
/// percentages and missing values are left to `SVGSize`.
enum RootSize {
    /// Rejects an invalid size, and returns the attributes of the root.
    static func check(_ text: Span<UInt8>) throws(DecodeError) -> [XMLWalker.Attribute] {
        var walker = XMLWalker(text)
        while true {
            switch walker.next() {
            case .open(_, let attributes, _):
                for attribute in attributes { try check(attribute, text) }
                return attributes
            case .close, .end, .truncated: return []
            case .text, .doctype: continue
            }
        }
    }

    private static func check(
        _ attribute: XMLWalker.Attribute, _ text: Span<UInt8>
    ) throws(DecodeError) {
        if text.hasName("width", attribute.name) || text.hasName("height", attribute.name) {
            guard isPositive(text, text.trimmed(attribute.value)) else {
                throw .corrupt("an SVG whose \(text.string(attribute.name)) is not positive")
            }
        } else if text.hasName("viewBox", attribute.name) {
            var fields: [Range<Int>] = []
            var start: Int?
            for index in attribute.value.lowerBound...attribute.value.upperBound {
                let isBetween =
                    index == attribute.value.upperBound || SVGCharacter.isSpace(text[index])
                    || text[index] == UInt8(ascii: ",")
                if isBetween, let begin = start {
                    fields.append(begin..<index)
                    start = nil
                    if fields.count > 4 { return }
                } else if !isBetween, start == nil {
                    start = index
                }
            }
            guard fields.count == 4 else { return }
            for field in fields.dropFirst(2) where !isPositive(text, field) {
                throw .corrupt("an SVG whose view box is empty")
            }
        }
    }

    /// Returns false for zero, negative numbers and NaN.
    private static func isPositive(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        if text.hasWord("nan", at: range.lowerBound, anyCase: true) { return false }
        guard let number = SVGNumber(text, from: range.lowerBound, to: range.upperBound) else {
            return true
        }
        return number.value > 0
    }
}

/// A number in an attribute or a style, without its unit.
struct SVGNumber {
    let value: Double
    let range: Range<Int>
    /// Whether the number reached `charactersLimit`; further characters are not read.
    let exceedsLimit: Bool

    /// The most characters of a number that are read.
    private static let charactersLimit = 400

    /// Reads the number that starts at `start`; nil if there is none.
    init?(_ text: Span<UInt8>, from start: Int, to end: Int) {
        var index = start
        if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            index += 1
        }
        func digits() -> Int {
            let first = index
            while index < end, index - start < Self.charactersLimit,
                SVGCharacter.isDigit(text[index])
            {
                index += 1
            }
            return index - first
        }
        var count = digits()
        if index < end, text[index] == UInt8(ascii: ".") {
            index += 1
            count += digits()
        }
        guard count > 0 else { return nil }
        if index < end, text[index] | 0x20 == UInt8(ascii: "e") {
            let mark = index
            index += 1
            if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
                index += 1
            }
            // Without digits after it, the `e` begins a unit (`em`, `ex`) and not an exponent.
            if digits() == 0 { index = mark }
        }
        var word = text.string(start..<index)
        if word.last == "." { word.removeLast() }
        guard let value = Double(word) else { return nil }
        self.value = value
        range = start..<index
        exceedsLimit = index - start >= Self.charactersLimit
    }
}
