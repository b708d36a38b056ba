import Raster

/// What a picture may ask for before it is refused; all of it is judged on the header.
package struct DecodeLimits: Hashable, Sendable {
    /// The most pixels a header may declare.
    package var pixels: Int
    /// The most pixels of a progressive JPEG, whose coefficients stay in memory at any scale: half of
    /// `pixels`, but no less than 25 million.
    package var progressivePixels: Int
    /// The longest side in pixels.
    package var edge: Int
    /// The longest colour profile that is read; a longer one is ignored.
    package var profileBytes: Int
    /// The longest SVG, after inflating.
    package var svgBytes: Int
    /// The most scans of one JPEG.
    package var jpegScans: Int

    package init(
        pixels: Int = 50_000_000, progressivePixels: Int? = nil, edge: Int = 1_000_000,
        profileBytes: Int = 4 << 20, svgBytes: Int = 10 << 20, jpegScans: Int = 100
    ) {
        self.pixels = pixels
        self.progressivePixels = progressivePixels ?? max(pixels / 2, 25_000_000)
        self.edge = edge
        self.profileBytes = profileBytes
        self.svgBytes = svgBytes
        self.jpegScans = jpegScans
    }

    /// Refuses a declared size: `corrupt` when a side is not positive, `limitPixels` when too large.
    package func check(_ size: PixelSize, progressive: Bool = false) throws(DecodeError) {
        guard size.width > 0, size.height > 0 else {
            throw .corrupt("a picture without pixels")
        }
        guard size.width <= edge, size.height <= edge,
            size.area <= (progressive ? min(pixels, progressivePixels) : pixels),
            size.byteCount < .max
        else { throw .limitPixels }
    }
}
