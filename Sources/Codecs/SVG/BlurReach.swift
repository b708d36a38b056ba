/// The margin that blurs need around a drawing.
///
/// librsvg 2.54 clips filter input at the edges of the surface, so a blurred shape that crosses the
/// edge of the drawing fades there. A margin around the drawing avoids that.
struct BlurReach: Sendable {
    /// The widest margin, as a multiple of the drawing's shorter side.
    private static let shareLimit = 2.0
    /// The most pixels that all blurs of a drawing may process because of a margin.
    private static let pixelsLimit = 16_000_000

    /// The margin on each side, as a multiple of the drawing's shorter side.
    private var share = 0.0
    private var blurCount = 0

    init() {}

    /// - Parameter surfaces: The number of surfaces that the drawing needs without a margin.
    init(_ text: Span<UInt8>, _ root: DrawingRoot, surfaces: Int) {
        var widest = 0.0
        for index in 0..<text.count where text.hasWord("stdDeviation", at: index) {
            blurCount += 1
            var offset = index + 12
            for _ in 0..<2 {
                while offset < text.count, offset < index + 64,
                    SVGCharacter.isSpace(text[offset])
                        || [UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x2C]
                            .contains(text[offset])
                {
                    offset += 1
                }
                guard let number = SVGNumber(text, from: offset, to: text.count) else { break }
                widest = max(widest, number.value)
                offset = number.range.upperBound
            }
        }
        guard widest > 0 else { return }
        let isBox = text.contains("primitiveUnits", in: 0..<text.count)
        share = 3 * widest / max(1e-9, isBox ? min(1, root.shortestSide) : root.shortestSide)
        // Limits the margin so that the enlarged surfaces take no more memory than
        // `SurfaceDepth.limit` surfaces without a margin.
        let most = Double(SurfaceDepth.limit + 1) / Double(surfaces + 2)
        share = max(0, min(share, Self.shareLimit, (most.squareRoot() - 1) / 2))
    }

    /// Returns how many surfaces without a margin take as much memory as `surfaces` with the
    /// margin.
    func surfaces(of surfaces: Int) -> Int {
        guard share > 0 else { return surfaces }
        let side = 1 + 2 * share
        return Int((Double(surfaces + 2) * side * side).rounded(.up)) - 1
    }

    /// Returns the margin on each side, in the units of `size`.
    func margin(of size: SVGSize) -> Double { share * min(size.width, size.height) }

    /// Returns whether all blurs together process at most `pixelsLimit` pixels in a drawing of this
    /// size, margin included.
    func isCheap(width: Double, height: Double) -> Bool {
        max(width, height) < 32_767
            && width * height <= Double(Self.pixelsLimit / max(1, blurCount))
    }

    /// Returns a larger document that contains `text` at its centre; nil if no blur needs a margin.
    ///
    /// librsvg makes its surfaces as large as the outermost `svg` element. The margin is a whole
    /// number of pixels, so that the pixel grid of the drawing does not shift.
    func framed(_ text: Span<UInt8>, _ size: SVGSize) -> [UInt8]? {
        guard share > 0 else { return nil }
        var walker = XMLWalker(text)
        while true {
            switch walker.next() {
            case .open(let name, let attributes, _):
                var output = text.array(0..<walker.start)
                output += "<emblem:svg xmlns:emblem=\"http://www.w3.org/2000/svg\">".utf8
                output += "<emblem:svg x=\"50%\" y=\"50%\" overflow=\"visible\">".utf8
                output.append(text, walker.start..<name.upperBound)
                output += " x=\"\(size.width / -2)\" y=\"\(size.height / -2)\"".utf8
                output += " width=\"\(size.width)\" height=\"\(size.height)\"".utf8
                var copied = name.upperBound
                for attribute in attributes
                where ["x", "y", "width", "height"].contains(text.string(attribute.name)) {
                    output.append(text, copied..<attribute.name.lowerBound)
                    copied = attribute.value.upperBound + 1
                }
                output.append(text, copied..<text.count)
                output += "</emblem:svg></emblem:svg>".utf8
                return output
            case .close, .end, .truncated: return nil
            case .text, .doctype: continue
            }
        }
    }
}
