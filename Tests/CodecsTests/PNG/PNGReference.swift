import CLibPNG

enum PNGReference {
    @unsafe private struct Source {
        var next: UnsafePointer<UInt8>
        var left: Int
    }

    /// Returns straight RGBA of a valid file; libpng ends the process for an invalid one.
    ///
    /// Does not use libpng's simplified interface, which mixes up the rows of interlaced 16-bit
    /// images.
    static func decode(_ bytes: [UInt8]) -> [UInt8]? {
        unsafe bytes.withUnsafeBufferPointer { buffer -> [UInt8]? in
            guard let start = buffer.baseAddress else { return nil }
            var source = unsafe Source(next: start, left: buffer.count)
            return unsafe withUnsafeMutablePointer(to: &source) { unsafe read($0) }
        }
    }

    private static func read(_ source: UnsafeMutablePointer<Source>) -> [UInt8]? {
        var png = unsafe png_create_read_struct(PNG_LIBPNG_VER_STRING, nil, nil, nil)
        guard let reader = unsafe png else { return nil }
        var info = unsafe png_create_info_struct(reader)
        defer { unsafe png_destroy_read_struct(&png, &info, nil) }
        unsafe png_set_read_fn(reader, source) { reader, target, count in
            let io = unsafe png_get_io_ptr(reader)
            guard let source = unsafe io?.assumingMemoryBound(to: Source.self) else { return }
            let count = unsafe min(count, source.pointee.left)
            unsafe target?.update(from: source.pointee.next, count: count)
            unsafe source.pointee.next += count
            unsafe source.pointee.left -= count
        }
        unsafe png_set_user_limits(reader, 0x7FFF_FFFF, 0x7FFF_FFFF)
        unsafe png_read_info(reader, info)
        let width = unsafe Int(png_get_image_width(reader, info))
        let height = unsafe Int(png_get_image_height(reader, info))
        unsafe png_set_expand(reader)
        unsafe png_set_scale_16(reader)
        unsafe png_set_gray_to_rgb(reader)
        unsafe png_set_add_alpha(reader, 255, PNG_FILLER_AFTER)
        let passes = unsafe png_set_interlace_handling(reader)
        unsafe png_read_update_info(reader, info)
        guard unsafe png_get_rowbytes(reader, info) == width * 4 else { return nil }
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        unsafe pixels.withUnsafeMutableBufferPointer { buffer in
            for _ in 0..<passes {
                for row in 0..<height {
                    guard let base = buffer.baseAddress else { return }
                    unsafe png_read_row(reader, base + row * width * 4, nil)
                }
            }
        }
        return pixels
    }

    /// Returns the size of libpng's file at default settings, without the colour chunks that its
    /// simplified interface adds.
    static func encodedSize(straight pixels: [UInt8], width: Int, height: Int) -> Int? {
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        unsafe image.width = UInt32(width)
        unsafe image.height = UInt32(height)
        unsafe image.format = UInt32(PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR)
        defer { unsafe png_image_free(&image) }
        var file = [UInt8](repeating: 0, count: pixels.count * 2 + 4096)
        var size = file.count
        guard unsafe png_image_write_to_memory(&image, &file, &size, 0, pixels, 0, nil) != 0
        else { return nil }
        return chunks(of: Array(file[..<size])).filter { ["IHDR", "IDAT", "IEND"].contains($0.0) }
            .reduce(8) { $0 + $1.1 + 12 }
    }

    static func chunks(of file: [UInt8]) -> [(String, Int)] {
        var result: [(String, Int)] = []
        var offset = 8
        while offset + 8 <= file.count {
            let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            result.append((String(decoding: file[offset + 4..<offset + 8], as: UTF8.self), length))
            offset += length + 12
        }
        return result
    }

    /// Premultiplies by division, rounded to nearest.
    static func premultiplied(_ straight: [UInt8]) -> [UInt8] {
        var result = straight
        for pixel in stride(from: 0, to: straight.count, by: 4) {
            let alpha = Int(straight[pixel + 3])
            for channel in pixel..<pixel + 3 {
                result[channel] = UInt8((Int(straight[channel]) * alpha * 2 + 255) / 510)
            }
        }
        return result
    }
}
