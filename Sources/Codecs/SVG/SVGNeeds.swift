/// The features of a document that librsvg does not support, found by one scan of its bytes.
///
/// A typical document has none of these features and is not changed. The text must come from
/// `XMLPlainText`.
struct SVGNeeds: Sendable {
    /// Whether a filter has `feDropShadow`.
    private(set) var hasDropShadow = false
    /// Whether a style refers to a custom property with `var()`.
    private(set) var hasVariables = false
    /// Whether a style sheet tests the colour scheme of the viewer.
    private(set) var testsScheme = false
    /// Whether the document has a `filter` element.
    private(set) var hasFilters = false
    /// Whether an element may contain an image or be replaced by another document (XInclude).
    private(set) var mayHavePictures = false
    /// Whether the drawing may need surfaces in addition to its own, or draw an element by
    /// reference.
    private(set) var mayNeedSurfaces = false
    /// Whether `GradientRepairs` may have to rewrite the transform of a gradient.
    private(set) var mayNeedGradientRepairs = false
    /// Whether the document had entities. `XMLPlainText` has replaced them.
    var hadEntities = false
    /// Whether the document may state a font size.
    private(set) var mayHaveFontSizes = false
    /// Whether the document may have a feature that librsvg does not support; `FeatureCensus`
    /// decides.
    private(set) var mayHaveUnsupportedFeature = false
    /// An upper bound for the number of elements.
    private(set) var elementCountBound = 0

    /// Whether `SVGRewriter` must rewrite the document.
    var mustBeRewritten: Bool { hasDropShadow || hasVariables || testsScheme }

    let root: DrawingRoot
    /// The offset up to which the text was searched for clip rules.
    private var clipEnd = 0

    init(_ text: Span<UInt8>, _ root: DrawingRoot) {
        self.root = root
        scan(text)
    }

    private mutating func scan(_ text: Span<UInt8>) {
        var index = 0
        while index < text.count {
            // Most documents are mostly path data, which contains no feature.
            if index + 8 <= text.count, Self.startsNoFeature(text, at: index) {
                index += 8
                continue
            }
            let end = min(index + 8, text.count)
            while index < end {
                recordFeature(text, at: index)
                index += 1
            }
        }
    }

    /// Returns whether no feature starts at any of the eight bytes.
    @inline(__always)
    private static func startsNoFeature(_ text: Span<UInt8>, at index: Int) -> Bool {
        let word = unsafe text.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        }
        let each: UInt64 = 0x0101_0101_0101_0101
        /// Returns a word in which the high bit of a byte is set if and only if one of the eight
        /// bytes equals `sign`.
        func mask(of sign: UInt8) -> UInt64 {
            let rest = word ^ (each &* UInt64(sign))
            return (rest &- each) & ~rest
        }
        let found =
            mask(of: UInt8(ascii: "<")) | mask(of: UInt8(ascii: "f"))
            | mask(of: UInt8(ascii: "(")) | mask(of: UInt8(ascii: ":"))
            | mask(of: UInt8(ascii: "p"))
        return found & (each &* 0x80) == 0
    }

    /// Records the feature that starts at `index`, if any.
    @inline(__always)
    private mutating func recordFeature(_ text: Span<UInt8>, at index: Int) {
        switch text[index] {
        case UInt8(ascii: "<"):
            let next = index + 1 < text.count ? text[index + 1] : 0
            if next != UInt8(ascii: "/"), next != UInt8(ascii: "!") { elementCountBound += 1 }
            if Self.holdsPicture(text, at: index + 1) { mayHavePictures = true }
            if text.hasWord("use", at: index + 1) { mayNeedSurfaces = true }
            recordElement(text, at: index + 1)
        case UInt8(ascii: "f"):
            if text.hasWord("filter", at: index) {
                mayNeedSurfaces = true
                if index > 0, [UInt8(ascii: "<"), UInt8(ascii: ":")].contains(text[index - 1]) {
                    hasFilters = true
                }
            } else if text.hasWord("font", at: index) {
                mayHaveFontSizes = true
            } else if text.hasWord("feDropShadow", at: index) {
                hasDropShadow = true
            } else if text.hasWord("form-origin", at: index) {
                mayHaveUnsupportedFeature = true
            }
        case UInt8(ascii: "("):
            if text.hasWord("var", at: index - 3, anyCase: true) { hasVariables = true }
            if text.hasWord("url", at: index - 3, anyCase: true) { mayNeedSurfaces = true }
            recordFunction(text, at: index)
        case UInt8(ascii: "p"):
            if text.hasWord("prefers-color-scheme", at: index) { testsScheme = true }
            if text.hasWord("pacity", at: index) { mayNeedSurfaces = true }
        case UInt8(ascii: ":"):
            if Self.holdsPicture(text, at: index + 1) { mayHavePictures = true }
            if text.hasWord("use", at: index + 1) || text.hasWord("mode", at: index - 4)
                || text.hasWord("isolation", at: index - 9)
            {
                mayNeedSurfaces = true
            }
            recordElement(text, at: index + 1)
            if Self.properties.contains(where: { Self.ends(text, at: index, with: $0) }) {
                mayHaveUnsupportedFeature = true
            }
        default: return
        }
    }

    private mutating func recordElement(_ text: Span<UInt8>, at index: Int) {
        if text.hasWord("foreignObject", at: index) || text.hasWord("text", at: index)
            || text.hasWord("tspan", at: index)
        {
            mayHaveUnsupportedFeature = true
        } else if text.hasWord("clipPath", at: index) {
            // Searches the next 4 KB for a clip rule of the path's children.
            let range = max(index, clipEnd)..<max(index, clipEnd, min(text.count, index + 4096))
            clipEnd = range.upperBound
            if text.contains("evenodd", in: range) || text.contains("BoundingBox", in: range) {
                mayHaveUnsupportedFeature = true
            }
        } else if text.hasWord("linearGradient", at: index)
            || text.hasWord("radialGradient", at: index) || text.hasWord("symbol", at: index)
        {
            recordTransform(text, at: index)
        }
        guard !mayHaveUnsupportedFeature, text.hasWord("style", at: index) else { return }
        var depth = 0
        var offset = index
        while offset < text.count, !text.hasWord("</", at: offset) {
            switch text[offset] {
            case UInt8(ascii: "@"): mayHaveUnsupportedFeature = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth = max(0, depth - 1)
            default: break
            }
            if depth > 1 { mayHaveUnsupportedFeature = true }
            offset += 1
        }
    }

    private mutating func recordTransform(_ text: Span<UInt8>, at index: Int) {
        let tag = text.extracting((index - 1)..<min(text.count, index + 1024))
        var walker = XMLWalker(tag)
        guard case .open(_, let attributes, _) = walker.next() else { return }
        for attribute in attributes {
            if tag.hasName("transform", attribute.name)
                || tag.hasName("opacity", attribute.name)
            {
                mayHaveUnsupportedFeature = true
            } else if tag.hasName("gradientTransform", attribute.name),
                let transform = SVGTransform(tag.string(attribute.value)),
                GradientRepairs.isNeeded(transform, longestSide: max(1, root.longestSide))
            {
                mayNeedGradientRepairs = true
            }
        }
    }

    private mutating func recordFunction(_ text: Span<UInt8>, at index: Int) {
        if Self.functions.contains(where: { Self.ends(text, at: index, with: $0) })
            || text.hasWord("from ", at: index + 1, anyCase: true)
        {
            mayHaveUnsupportedFeature = true
        }
    }

    /// Returns whether `word` ends just before `index`.
    private static func ends(_ text: Span<UInt8>, at index: Int, with word: StaticString) -> Bool {
        text.hasWord(word, at: index - word.utf8CodeUnitCount, anyCase: true)
    }

    /// The ends of the names of unsupported CSS functions, which precede a bracket.
    private static let functions: [StaticString] = [
        "lab", "lch", "hwb", "color", "-mix", "light-dark",
        "is", "where", "has", "calc", "min", "max", "clamp", "circle", "ellipse", "inset",
        "polygon", "path", "gradient", "rect", "xywh", "shape", "hue-rotate", "saturate",
    ]
    /// The ends of the names of unsupported CSS properties, which precede a colon.
    private static let properties: [StaticString] = [
        "mask", "mask-image", "rotate", "scale", "translate", "ground", "ground-color",
    ]

    /// Returns whether the name of an element that may contain an image is at `index`.
    @inline(__always)
    private static func holdsPicture(_ text: Span<UInt8>, at index: Int) -> Bool {
        text.hasWord("image", at: index) || text.hasWord("feImage", at: index)
            || text.hasWord("include", at: index)
    }
}

/// Constructs that crash librsvg 2.54, and with it the process.
///
/// The scan looks for words in the output of `XMLPlainText`. It does not find hidden constructs;
/// untrusted drawings must therefore run in a worker process with a deadline.
enum SVGHazards {
    /// The most negating selectors; each nested one takes four kilobytes of stack.
    private static let negationsLimit = 250
    /// The most numbers in a convolution kernel; more fail an assertion in librsvg.
    private static let kernelLimit = 400

    static func check(_ text: Span<UInt8>) throws(DecodeError) {
        var negations = 0
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: ":") where text.hasWord(":not(", at: index, anyCase: true):
                negations += 1
                guard negations <= negationsLimit else {
                    throw .limitDecode("an SVG of more than \(negationsLimit) negated selectors")
                }
            case UInt8(ascii: "k") where text.hasWord("kernelMatrix", at: index):
                guard numbers(in: text, from: index + 12) <= kernelLimit else {
                    throw .limitDecode("an SVG with a kernel of more than \(kernelLimit) numbers")
                }
            default: continue
            }
        }
    }

    /// Returns an upper bound for the count of numbers in an attribute value. The value ends at its
    /// second quote or at a character that is not part of a number.
    private static func numbers(in text: Span<UInt8>, from start: Int) -> Int {
        var count = 0
        var quotes = 0
        var isBetween = true
        for index in start..<text.count {
            switch text[index] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "="): isBetween = true
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                quotes += 1
                if quotes == 2 { return count }
            // A sign or a point may begin the next number without a space.
            case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
                count += 1
                isBetween = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isBetween { count += 1 }
                isBetween = false
            case UInt8(ascii: "e"), UInt8(ascii: "E"): continue
            default: return count
            }
        }
        return count
    }
}
