import Raster

/// The scaled versions of one picture, kept for reuse: a small emblem at scale 2 can use the pixels
/// of an extra large emblem at scale 1, and a dark emblem those of the light emblem.
package struct ScaledPictures {
    private struct Key: Hashable {
        let size: PixelSize
        let visible: PixelRect?
    }

    private final class KeptPixels: Sendable {
        let pixels: PixelBuffer

        init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
    }

    private var kept: [Key: KeptPixels] = [:]
    private let keepsResults: Bool

    /// The largest picture that is kept, in bytes. Larger pictures are seldom reused. With this
    /// limit, all kept pictures take at most two megabytes.
    private static let bytesLimit = 256 << 10
    private static let countLimit = 8

    /// - Parameter keepsResults: false if no size is requested twice.
    package init(keepsResults: Bool) { self.keepsResults = keepsResults }

    /// Returns the part `visible` of the picture at `size`: the result of an earlier call, or of
    /// `make`.
    mutating func picture(
        _ size: PixelSize, visible: PixelRect?, make: () -> PixelBuffer
    ) -> PixelBuffer {
        guard keepsResults else { return make() }
        let key = Key(size: size, visible: visible)
        if let known = kept[key] { return known.pixels.copy() }
        let made = make()
        if made.size.byteCount <= Self.bytesLimit, kept.count < Self.countLimit {
            kept[key] = KeptPixels(made.copy())
        }
        return made
    }
}

/// Content at its final size, with its position on the emblem.
package struct FittedPicture: ~Copyable {
    /// The kind of content, which decides whether it is tinted.
    package enum Kind: Hashable, Sendable {
        case raster
        case drawing
        case template
        /// Text without emoji, which has only the foreground colour.
        case text
        /// Text with emoji, already drawn in the foreground colour.
        case coloredText
    }

    package var pixels: PixelBuffer
    package let canvas: PixelSize
    package let x: Int
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
    package func applies(to kind: FittedPicture.Kind) -> Bool {
        switch (self, kind) {
        case (_, .coloredText): false
        case (_, .text), (.always, _), (.auto, .template): true
        case (.auto, _), (.never, _): false
        }
    }
}
