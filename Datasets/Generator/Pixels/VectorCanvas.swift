import CDrawing

enum VectorCanvas {
    /// Draws at a size in pixels. Traps on failure, because the generator wrote the SVG text
    /// itself.
    static func draw(_ svg: String, width: Int, height: Int) -> Bitmap {
        var bitmap = Bitmap(width: width, height: height)
        let text = Array(svg.utf8)
        let handle = unsafe text.withUnsafeBufferPointer { bytes in
            unsafe rsvg_handle_new_from_data(bytes.baseAddress, gsize(bytes.count), nil)
        }
        guard let handle = unsafe handle else {
            preconditionFailure("A drawing of the generator is not SVG: \(svg.prefix(400))")
        }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(handle)) }
        let surface = unsafe cairo_image_surface_create(
            CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
        defer { unsafe cairo_surface_destroy(surface) }
        let context = unsafe cairo_create(surface)
        defer { unsafe cairo_destroy(context) }
        var viewport = RsvgRectangle(x: 0, y: 0, width: Double(width), height: Double(height))
        let drawn = unsafe rsvg_handle_render_document(handle, context, &viewport, nil)
        precondition(drawn != 0, "A drawing of the generator cannot be rendered.")
        unsafe cairo_surface_flush(surface)
        let rowBytes = Int(unsafe cairo_image_surface_get_stride(surface))
        guard let base = unsafe cairo_image_surface_get_data(surface) else { return bitmap }
        unsafe bitmap.bytes.withUnsafeMutableBufferPointer { target in
            for y in 0..<height {
                unsafe unpremultiply(base + y * rowBytes, into: target, at: y * width * 4, width)
            }
        }
        return bitmap
    }

    private static func unpremultiply(
        _ source: UnsafeMutablePointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>,
        at start: Int, _ width: Int
    ) {
        for x in 0..<width {
            let pixel = unsafe UnsafeRawPointer(source + x * 4).load(as: UInt32.self)
            let alpha = pixel >> 24
            let place = start + x * 4
            if alpha == 0 { continue }
            let red = (pixel >> 16 & 255) * 255 + alpha / 2
            let green = (pixel >> 8 & 255) * 255 + alpha / 2
            let blue = (pixel & 255) * 255 + alpha / 2
            unsafe target[place] = UInt8(min(255, red / alpha))
            unsafe target[place + 1] = UInt8(min(255, green / alpha))
            unsafe target[place + 2] = UInt8(min(255, blue / alpha))
            unsafe target[place + 3] = UInt8(alpha)
        }
    }
}
