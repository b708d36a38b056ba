import Raster

/// A decoded picture: pixels, or a drawing that becomes pixels at each size it is asked for.
package enum Picture: ~Copyable {
    /// Oriented, sRGB, premultiplied.
    case raster(PixelBuffer)
    /// Drawn anew at every target size.
    case vector(VectorPicture)
}
