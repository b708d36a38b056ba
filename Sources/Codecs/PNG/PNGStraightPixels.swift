import Raster

/// The pixels of a picture as PNG stores them: colours not multiplied by alpha.
///
/// Premultiplying them again gives the very picture they came from.
@safe
struct PNGStraightPixels: ~Copyable {
    let size: PixelSize
    /// Red in the lowest byte; fully transparent pixels are zero.
    let base: UnsafeMutablePointer<UInt32>
    let isOpaque: Bool
    let isGrey: Bool

    init(_ picture: borrowing PixelBuffer) {
        size = picture.size
        let count = picture.size.area
        unsafe base = .allocate(capacity: count)
        (isOpaque, isGrey) = unsafe picture.withUnsafePixels { [base] source in
            unsafe StraightAlpha.divide(UnsafeRawPointer(source), to: base, count: count)
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    var count: Int { size.area }
}
