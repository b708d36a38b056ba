import Raster

/// One picture at the sizes to which it was scaled already: small at 2 is as high as extra large at
/// 1, and a dark emblem shows what the light one does.
package struct ScaledPictures {
    private struct Key: Hashable {
        let size: PixelSize
        let visible: PixelRect?
        let linear: Bool
    }

    private final class Kept: Sendable {
        let pixels: PixelBuffer

        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    private var kept: [Key: Kept] = [:]
    private let isKeeping: Bool

    /// Larger ones are seldom wanted twice; together the rest are two megabytes.
    private static let bytesLimit = 256 << 10
    private static let countLimit = 8

    /// - Parameter isKeeping: false where no size will be asked for again.
    package init(isKeeping: Bool) { self.isKeeping = isKeeping }

    /// How many are kept.
    package var count: Int { kept.count }

    /// The part `visible` of the picture at `size`: the one kept, or what `make` makes.
    mutating func picture(
        _ size: PixelSize, visible: PixelRect?, linear: Bool, make: () -> PixelBuffer
    ) -> PixelBuffer {
        guard isKeeping else { return make() }
        let key = Key(size: size, visible: visible, linear: linear)
        if let known = kept[key] { return known.pixels.copy() }
        let made = make()
        if made.size.byteCount <= Self.bytesLimit, kept.count < Self.countLimit {
            kept[key] = Kept(made.copy())
        }
        return made
    }
}

/// Content at its final size, with its position on the emblem.
package struct FittedPicture: ~Copyable {
    /// What the content is, which decides whether it is tinted.
    package enum Kind: Hashable, Sendable {
        case raster
        /// A vector with colours of its own.
        case drawing
        /// A built-in icon or an SVG template.
        case template
        /// Text, which has no colour but the foreground.
        case text
        /// Text with emoji, drawn in the foreground colour beside their own.
        case coloredText
    }

    package var pixels: PixelBuffer
    /// The emblem's size.
    package let canvas: PixelSize
    /// The column at which the content begins.
    package let x: Int
    /// The row at which the content begins.
    package let y: Int
    package let kind: Kind

    package init(pixels: consuming PixelBuffer, canvas: PixelSize, x: Int, y: Int, kind: Kind) {
        self.pixels = pixels
        self.canvas = canvas
        self.x = x
        self.y = y
        self.kind = kind
    }
}

extension TintRule {
    /// Whether content of this kind takes the foreground colour.
    package func applies(to kind: FittedPicture.Kind) -> Bool {
        switch (self, kind) {
        case (_, .coloredText): false
        case (_, .text), (.always, _), (.auto, .template): true
        case (.auto, _), (.never, _): false
        }
    }
}
