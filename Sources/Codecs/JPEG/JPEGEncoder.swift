import CShims
import Raster

/// Writes JPEG: progressive, with optimised Huffman tables and no metadata.
package enum JPEGEncoder {
    /// The lowest quality with full chroma resolution; below it, two by two pixels share chroma.
    private static let fullColourQuality = 90

    /// Encodes the image composed over the matte, which is visible where the image is not opaque.
    package static func encode(
        _ buffer: borrowing PixelBuffer, quality: Int, matte: Color
    ) throws(EncodeError) -> [UInt8] {
        guard max(buffer.width, buffer.height) <= OutputFormat.jpeg.edgeLimit else {
            throw .tooLarge(.jpeg, buffer.size)
        }
        if buffer.isOpaque {
            return try unsafe buffer.withUnsafePixels { pixels throws(EncodeError) in
                try unsafe write(pixels, size: buffer.size, quality: quality)
            }
        }
        var flat = PixelBuffer(size: buffer.size)
        flatten(buffer, over: matte, into: &flat)
        return try unsafe flat.withUnsafePixels { pixels throws(EncodeError) in
            try unsafe write(pixels, size: flat.size, quality: quality)
        }
    }

    private static func write(
        _ pixels: UnsafePointer<UInt8>, size: PixelSize, quality: Int
    ) throws(EncodeError) -> [UInt8] {
        let quality = min(max(quality, 1), 100)
        var call = unsafe emb_jpeg_write_request(
            pixels: pixels, width: Int32(size.width), height: Int32(size.height),
            quality: Int32(quality), subsampled: quality < fullColourQuality ? 1 : 0)
        var bytes: UnsafeMutablePointer<UInt8>? = nil
        var length = 0
        var message = [CChar](repeating: 0, count: 200)
        let status = unsafe emb_jpeg_write(&call, &bytes, &length, &message)
        guard status == EMB_JPEG_OK, let start = unsafe bytes else {
            let text = message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            throw .failed(.jpeg, String(decoding: text, as: UTF8.self))
        }
        defer { unsafe emb_jpeg_free(start) }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: length))
    }

    private static func flatten(
        _ buffer: borrowing PixelBuffer, over matte: Color, into flat: inout PixelBuffer
    ) {
        let count = buffer.size.area
        let under = (UInt32(matte.red), UInt32(matte.green), UInt32(matte.blue))
        unsafe buffer.withUnsafePixels { source in
            unsafe flat.withUnsafeMutablePixels { target in
                for index in 0..<count {
                    let from = unsafe source + index * 4
                    let to = unsafe target + index * 4
                    let free = unsafe 255 - UInt32(from[3])
                    unsafe to[0] = over(from[0], under.0 * free)
                    unsafe to[1] = over(from[1], under.1 * free)
                    unsafe to[2] = over(from[2], under.2 * free)
                    unsafe to[3] = 255
                }
            }
        }
        flat.isOpaque = true
    }

    /// Returns `value + product / 255`, rounded and at most 255. `product` is a channel of the
    /// matte times the transparency.
    @inline(__always)
    private static func over(_ value: UInt8, _ product: UInt32) -> UInt8 {
        let rounded = product + 128
        return UInt8(truncatingIfNeeded: min(255, UInt32(value) + (rounded + rounded >> 8) >> 8))
    }
}
