import CShims
import Raster

/// A JPEG of a kind that the product itself does not write.
struct JPEGSample {
    var colour = EMB_JPEG_YCBCR
    var quality = 92
    var progressive = false
    var arithmetic = false
    var subsampled = false
    var restartRows = 0
    var withoutAdobe = false
    var segments: [UInt8] = []

    /// Encodes rows of `pixels`: RGBA, or raw bytes for grey and CMYK.
    func bytes(_ pixels: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        var request = unsafe emb_jpeg_write_request()
        unsafe request.bytes_per_row = width * (colour == EMB_JPEG_GREY ? 1 : 4)
        unsafe request.width = Int32(width)
        unsafe request.height = Int32(height)
        unsafe request.colour = Int32(colour)
        unsafe request.quality = Int32(quality)
        unsafe request.progressive = progressive ? 1 : 0
        unsafe request.arithmetic = arithmetic ? 1 : 0
        unsafe request.subsampled = subsampled ? 1 : 0
        unsafe request.restart_rows = Int32(restartRows)
        unsafe request.without_adobe = withoutAdobe ? 1 : 0
        return unsafe pixels.withUnsafeBufferPointer { rows in
            unsafe segments.withUnsafeBufferPointer { segments in
                unsafe request.pixels = rows.baseAddress
                unsafe request.segments = segments.baseAddress
                unsafe request.segments_length = segments.count
                var bytes: UnsafeMutablePointer<UInt8>? = nil
                var length = 0
                var message = [CChar](repeating: 0, count: 200)
                guard unsafe emb_jpeg_write(&request, &bytes, &length, &message) == EMB_JPEG_OK,
                    let start = unsafe bytes
                else { return [] }
                defer { unsafe emb_jpeg_free(start) }
                return unsafe [UInt8](UnsafeBufferPointer(start: start, count: length))
            }
        }
    }

    func bytes(_ buffer: borrowing PixelBuffer) -> [UInt8] {
        let pixels = unsafe buffer.withUnsafePixels { base in
            unsafe [UInt8](UnsafeBufferPointer(start: base, count: buffer.size.byteCount))
        }
        return bytes(pixels, buffer.width, buffer.height)
    }

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + be16(body.count + 2) + body
    }

    static func exif(_ orientation: Int) -> [UInt8] {
        segment(0xE1, Array("Exif\0\0".utf8) + tiff(orientation: orientation, little: false))
    }

    /// Returns a profile split into `parts` segments.
    static func profile(_ profile: [UInt8], parts: Int = 1) -> [UInt8] {
        let length = (profile.count + parts - 1) / parts
        return (0..<parts).flatMap { index in
            let piece = profile[
                min(profile.count, index * length)..<min(profile.count, (index + 1) * length)]
            return segment(
                0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(parts)] + piece)
        }
    }
}
