/// Limits font sizes to what Pango can lay out. Above about two million pixels an assertion aborts
/// librsvg; at a tenth of that no part of a letter is visible.
enum FontSizeClamp {
    /// The largest font size in pixels that is not changed.
    private static let limit = 100_000.0
    /// The largest size in pixels that nested relative sizes may reach.
    private static let nestedLimit = 1_000_000.0

    struct Findings {
        /// The document with larger sizes replaced by text of the same length; nil if there are
        /// none.
        var clamped: [UInt8]?
        /// Whether a relative size exceeds the size that surrounds it. Nested relative sizes
        /// multiply.
        var grows = false
    }

    /// Finds the sizes in a document and clamps sizes above the limit.
    static func findings(in text: Span<UInt8>) -> Findings {
        var result = Findings()
        forEachSize(text, 0..<text.count) { number, factor in
            if factor.isRelative, abs(number.value) * factor.pixels > 16 { result.grows = true }
            guard abs(number.value) * factor.pixels > limit, number.range.count > 2 else { return }
            var end = number.range.upperBound
            if number.exceedsLimit {
                while end < text.count, SVGCharacter.isNamePart(text[end]) { end += 1 }
            }
            var bytes = result.clamped ?? text.array(0..<text.count)
            // Writes 90,000 pixels, or 900 of another unit, which are at most 86,400 pixels: the
            // inch is the largest unit.
            let small: StaticString = factor.pixels == 1 ? "9e4" : "9e2"
            for index in number.range.lowerBound..<end { bytes[index] = UInt8(ascii: "0") }
            for offset in 0..<3 { bytes[end - 3 + offset] = unsafe small.utf8Start[offset] }
            result.clamped = bytes
        }
        return result
    }

    /// Throws if sizes that are small alone become too large when nested.
    static func check(_ text: Span<UInt8>) throws(DecodeError) {
        // The largest absolute size and the largest factor in style sheets.
        var sheet = (most: 0.0, relative: 1.0)
        var sizes: [Double] = []
        var walker = XMLWalker(text)
        var isSheet = false
        while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                let name = walker.text(name)
                isSheet = name.hasSuffix("style") && !isEmpty
                var size = sizes.last ?? 16
                let before = size
                var isStyled = name.hasSuffix("text") || name.hasSuffix("tspan")
                for attribute in attributes {
                    if text.hasName("class", attribute.name) || text.hasName("id", attribute.name) {
                        isStyled = true
                    }
                    let isOwn = text.hasWord("font", at: attribute.name.lowerBound)
                    guard isOwn || text.hasName("style", attribute.name) else { continue }
                    let whole = attribute.name.lowerBound..<attribute.value.upperBound
                    forEachSize(text, isOwn ? whole : attribute.value) { number, factor in
                        let found = abs(number.value) * factor.pixels
                        size = max(size, factor.isRelative ? before * found / 16 : found)
                    }
                }
                if isStyled { size = max(size * sheet.relative, sheet.most) }
                guard size <= nestedLimit else {
                    throw .limitDecode("an SVG with text larger than a million pixels")
                }
                if !isEmpty { sizes.append(size) }
            case .close:
                isSheet = false
                _ = sizes.popLast()
            case .text(let range):
                guard isSheet else { continue }
                forEachSize(text, range) { number, factor in
                    let found = abs(number.value) * factor.pixels
                    if factor.isRelative {
                        sheet.relative = max(sheet.relative, found / 16)
                    } else {
                        sheet.most = max(sheet.most, found)
                    }
                }
            case .doctype: continue
            case .end, .truncated: return
            }
        }
    }

    private struct Unit {
        let pixels: Double
        var isRelative = false
    }

    /// Calls `body` for the numbers in `font-size` and `font`.
    private static func forEachSize(
        _ text: Span<UInt8>, _ range: Range<Int>, _ body: (SVGNumber, Unit) -> Void
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard text[index] == UInt8(ascii: "f"), text.hasWord("font", at: index) else {
                index += 1
                continue
            }
            index += 4
            if text.hasWord("-size", at: index) { index += 5 }
            while index < range.upperBound, SVGCharacter.isSpace(text[index]) { index += 1 }
            guard index < range.upperBound,
                text[index] == UInt8(ascii: ":") || text[index] == UInt8(ascii: "=")
            else { continue }
            index += 1
            var quotes = 0
            while index < range.upperBound {
                let byte = text[index]
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quotes += 1 }
                if quotes > 1 || [0x3B, 0x7B, 0x7D, 0x3C, 0x3E].contains(byte) { break }
                if let number = SVGNumber(text, from: index, to: range.upperBound) {
                    body(number, unit(text, number.range.upperBound))
                    index = number.range.upperBound
                } else if isLetter(byte) {
                    // Digits inside a word are not a number.
                    while index < range.upperBound, SVGCharacter.isNamePart(text[index]) {
                        index += 1
                    }
                } else {
                    index += 1
                }
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        SVGCharacter.isNamePart(byte) && !SVGCharacter.isDigit(byte) && byte != UInt8(ascii: "-")
    }

    private static func unit(_ text: Span<UInt8>, _ index: Int) -> Unit {
        func has(_ word: StaticString) -> Bool { text.hasWord(word, at: index, anyCase: true) }
        if has("em") { return Unit(pixels: 16, isRelative: true) }
        if has("ex") || has("ch") { return Unit(pixels: 8, isRelative: true) }
        if has("%") { return Unit(pixels: 0.16, isRelative: true) }
        if has("in") { return Unit(pixels: 96) }
        if has("cm") { return Unit(pixels: 96 / 2.54) }
        if has("mm") { return Unit(pixels: 96 / 25.4) }
        if has("pt") { return Unit(pixels: 96.0 / 72) }
        if has("pc") { return Unit(pixels: 16) }
        return Unit(pixels: 1)
    }
}
