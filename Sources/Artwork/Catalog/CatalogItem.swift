import Raster

/// One component in one look, with words about it.
package struct CatalogItem: Sendable {
    package let caption: String
    /// The component as a drawing, for pages.
    package let sketch: Sketch
    /// An animated WebP that a page shows in place of the drawing.
    package var animation: [UInt8]?
    private let pixelsMade: (@Sendable (Double) throws(ArtworkError) -> PixelBuffer)?

    /// - Parameter pixels: makes the component at a scale, where pixels have a way of their own;
    ///   others are drawn from the sketch.
    init(
        _ caption: String, _ sketch: Sketch, animation: [UInt8]? = nil,
        pixels: (@Sendable (Double) throws(ArtworkError) -> PixelBuffer)? = nil
    ) {
        self.caption = caption
        self.sketch = sketch
        self.animation = animation
        pixelsMade = pixels
    }

    package func pixels(scale: Double) throws(ArtworkError) -> PixelBuffer {
        if let pixelsMade { return try pixelsMade(scale) }
        return try sketch.pixels(scale: scale)
    }
}

/// Components that are looked at together.
package struct CatalogSection: Sendable {
    /// A word for files and links.
    package let name: String
    package let title: String
    package let items: [CatalogItem]
    /// How many stand in a row of a sheet.
    package let columns: Int
    /// Its items come in groups of half a row, which a page shows below one another.
    var isTable = false
}
