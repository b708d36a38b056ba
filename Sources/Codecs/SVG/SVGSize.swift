import CDrawing

/// The intrinsic size of a document, in pixels of 1/96 inch, always finite and positive.
///
/// Width and height are used if they are lengths. A side that is missing, a percentage or not
/// positive follows from the view box. Without both, the view box is the size. Without a view box a
/// missing side equals the other side, and the default is 100 x 100.
struct SVGSize: Hashable, Sendable {
    var width: Double
    var height: Double

    /// Limits beyond which a document is scaled down, or its short side widened, so that later
    /// products cannot overflow. A drawing is scaled to the requested size anyway.
    static let longestSide = 1e9
    static let longestAspect = 1e6

    init(width: Double?, height: Double?, viewBox: (width: Double, height: Double)?) {
        let box = viewBox.flatMap { Self.usable($0.width) && Self.usable($0.height) ? $0 : nil }
        let width = width.flatMap { Self.usable($0) ? $0 : nil }
        let height = height.flatMap { Self.usable($0) ? $0 : nil }
        switch (width, height) {
        case (let width?, let height?): self.init(bounded: width, height)
        case (let width?, nil):
            self.init(bounded: width, box.map { width * ($0.height / $0.width) } ?? width)
        case (nil, let height?):
            self.init(bounded: box.map { height * ($0.width / $0.height) } ?? height, height)
        case (nil, nil): self.init(bounded: box?.width ?? 100, box?.height ?? 100)
        }
    }

    private init(bounded width: Double, _ height: Double) {
        var (width, height) = (width, height)
        if !Self.usable(width) || !Self.usable(height) { (width, height) = (100, 100) }
        let longest = max(width, height)
        if longest > Self.longestSide || longest < 1e-3 {
            let target = longest > 1 ? Self.longestSide : 1e-3
            width = width / longest * target
            height = height / longest * target
        }
        let least = max(width, height) / Self.longestAspect
        self.width = max(width, least)
        self.height = max(height, least)
    }

    private static func usable(_ value: Double) -> Bool {
        value.isFinite && value > 0
    }
}

extension SVGSize {
    /// Reads the size of the root element from librsvg. Throws if librsvg would draw nothing or
    /// guess: a width, height or view box of zero, or a view box that is malformed.
    @unsafe
    init(of handle: OpaquePointer, _ text: Span<UInt8>) throws(DecodeError) {
        var hasWidth: gboolean = 0
        var hasHeight: gboolean = 0
        var hasBox: gboolean = 0
        var width = RsvgLength()
        var height = RsvgLength()
        var box = RsvgRectangle()
        unsafe rsvg_handle_get_intrinsic_dimensions(
            handle, &hasWidth, &width, &hasHeight, &height, &hasBox, &box)
        let isEmpty =
            hasWidth != 0 && width.length <= 0 || hasHeight != 0 && height.length <= 0
            || hasBox != 0 && (box.width <= 0 || box.height <= 0)
        guard !isEmpty, hasBox != 0 || !XMLWalker.rootAttributes(text).contains("viewBox") else {
            throw .corrupt("an SVG without a valid size")
        }
        self.init(
            width: hasWidth != 0 ? Self.pixels(width) : nil,
            height: hasHeight != 0 ? Self.pixels(height) : nil,
            viewBox: hasBox != 0 ? (box.width, box.height) : nil)
    }

    private static func pixels(_ length: RsvgLength) -> Double? {
        let factor: Double? =
            switch length.unit {
            case RSVG_UNIT_PX: 1
            case RSVG_UNIT_IN: 96
            case RSVG_UNIT_CM: 96 / 2.54
            case RSVG_UNIT_MM: 96 / 25.4
            case RSVG_UNIT_PT: 96.0 / 72
            case RSVG_UNIT_PC: 16
            // Relative to a browser's default font size.
            case RSVG_UNIT_EM: 16
            case RSVG_UNIT_EX: 8
            default: nil
            }
        guard let value = factor.map({ $0 * length.length }) else { return nil }
        // librsvg stores lengths in single precision; restores whole numbers after the conversion.
        let whole = value.rounded()
        return abs(value - whole) <= abs(whole) * 1e-6 ? whole : value
    }
}
