/// A picture as lossy WebP stores it: luma for every pixel, two planes of colour differences for
/// every four, and perhaps alpha, colours straight.
///
/// Luma goes from 16 to 235 and grey has differences of 128 (BT.601). Small pictures are made of
/// planes in fewer steps than of pixels: two planes have a quarter of the size already.
@safe
package struct ColorPlanes: ~Copyable {
    package let size: PixelSize
    package let hasAlpha: Bool
    /// Luma, alpha, then both planes of differences.
    private let base: UnsafeMutablePointer<UInt8>

    /// Planes that the caller writes before any is read, and has checked `size` for.
    package init(unwritten size: PixelSize, hasAlpha: Bool) {
        self.size = size
        self.hasAlpha = hasAlpha
        unsafe base = .allocate(capacity: Self.byteCount(size, hasAlpha: hasAlpha))
    }

    deinit {
        unsafe base.deallocate()
    }

    /// The bytes of all planes.
    package static func byteCount(_ size: PixelSize, hasAlpha: Bool) -> Int {
        let differences = quarter(of: size).area.saturating(times: 2)
        return size.area.saturating(times: hasAlpha ? 2 : 1).saturating(plus: differences)
    }

    /// The size of a plane of differences.
    package var quarter: PixelSize { Self.quarter(of: size) }

    private static func quarter(of size: PixelSize) -> PixelSize {
        PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    }

    /// Rows without gaps.
    @unsafe package var luma: UnsafeMutablePointer<UInt8> { unsafe base }
    @unsafe package var alpha: UnsafeMutablePointer<UInt8>? {
        unsafe hasAlpha ? base + size.area : nil
    }
    /// How blue differs from luma.
    @unsafe package var blue: UnsafeMutablePointer<UInt8> {
        unsafe base + size.area * (hasAlpha ? 2 : 1)
    }
    /// How red differs from luma.
    @unsafe package var red: UnsafeMutablePointer<UInt8> { unsafe blue + quarter.area }
}
