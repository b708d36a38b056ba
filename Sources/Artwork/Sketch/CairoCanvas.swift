import CDrawing
import Codecs
import Raster

extension PixelBuffer {
    /// Draws with cairo on this buffer, which must be blank and at most 32,767 pixels a side
    /// (cairo's limit).
    @unsafe
    mutating func drawWithCairo<Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Void
    ) throws(Failure) {
        let size = size
        try unsafe withUnsafeMutablePixels { base throws(Failure) in
            let surface = unsafe cairo_image_surface_create_for_data(
                base, CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
                Int32(size.width * 4))
            defer { unsafe cairo_surface_destroy(surface) }
            guard let context = unsafe cairo_create(surface) else {
                preconditionFailure("Cairo answers with an object, even where it has no memory.")
            }
            defer { unsafe cairo_destroy(context) }
            try unsafe body(context)
            unsafe cairo_surface_flush(surface)
        }
        swizzleFromCairo()
    }
}

/// A cairo context with typed drawing operations.
@unsafe
struct CairoPen {
    let context: OpaquePointer

    func check() throws(ArtworkError) {
        guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else { throw .cairoFailed }
    }

    func setColor(_ color: Color) {
        unsafe cairo_set_source_rgba(
            context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
            Double(color.alpha) / 255)
    }

    /// Makes the outline of a box the current path.
    func trace(_ box: Box) {
        unsafe cairo_new_path(context)
        for step in box.outline {
            switch step {
            case .move(let to): unsafe cairo_move_to(context, to.x, to.y)
            case .line(let to): unsafe cairo_line_to(context, to.x, to.y)
            case .curve(let first, let second, let to):
                unsafe cairo_curve_to(context, first.x, first.y, second.x, second.y, to.x, to.y)
            case .close: unsafe cairo_close_path(context)
            }
        }
    }

    /// Paints pixels with their corner at `x`, `y` of the device, independent of the scale.
    func paint(_ picture: consuming PixelBuffer, x: Int, y: Int) {
        // `swizzleFromCairo` also converts to cairo's format, because it only exchanges red and
        // blue.
        picture.swizzleFromCairo()
        let size = picture.size
        unsafe picture.withUnsafeMutablePixels { base in
            let surface = unsafe cairo_image_surface_create_for_data(
                base, CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
                Int32(size.width * 4))
            unsafe cairo_save(context)
            unsafe cairo_identity_matrix(context)
            unsafe cairo_set_source_surface(context, surface, Double(x), Double(y))
            unsafe cairo_paint(context)
            unsafe cairo_restore(context)
            unsafe cairo_surface_destroy(surface)
        }
    }
}
