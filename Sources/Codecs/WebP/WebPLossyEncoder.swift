import CKernels
import Raster

/// Lossy WebP by an encoder of our own, made for small pictures with much of one colour.
///
/// At the quantizer for a quality it comes as near to the picture as libwebp does at that quality,
/// in fewer bytes and half the time.
enum WebPLossyEncoder {
    /// Larger pictures are libwebp's: they gain by means that small ones do not need.
    static func takes(_ size: PixelSize) -> Bool {
        max(size.width, size.height) <= Int(EMB_WEBP_SIDE)
    }

    static func encode(
        _ buffer: borrowing PixelBuffer, quality: Int
    ) throws(EncodeError) -> [UInt8] {
        let quantizer = quantizer(for: quality)
        if buffer.isOpaque {
            let picture = try colors(of: buffer, quantizer)
            return WebPFile.plain(picture.span)
        }
        let layers = WebPLayers(of: buffer)
        let picture = try colors(of: layers.colors, quantizer)
        guard !layers.alpha.isEmpty else { return WebPFile.plain(picture.span) }
        let (width, height) = (buffer.width, buffer.height)
        let alpha: [UInt8]
        if let packed = WebPAlphaStock.shared.packed(layers.alpha.span, width: width) {
            alpha = packed
        } else {
            alpha = try WebPEncoder.packAlpha(layers.alpha.span, width: width, height: height)
            WebPAlphaStock.shared.keep(alpha, of: layers.alpha.span, width: width)
        }
        return WebPFile.joined(width: width, height: height, alpha: alpha, picture: picture.span)
    }

    /// libwebp's curve from quality to quantizer, and up to three coarser: what libwebp makes of
    /// its quantizers by dividing a picture into segments is as far from the picture as that.
    static func quantizer(for quality: Int) -> Int {
        let value = min(max(quality, 1), 100)
        // In 300ths: two thirds of the quality up to 75, then steeper.
        let share = value < 75 ? 2 * value : 6 * value - 300
        var level = 127
        while level * level * level * 300 > share * 127 * 127 * 127 { level -= 1 }
        // The one whose cube is the nearest from above.
        if level * level * level * 300 < share * 127 * 127 * 127 { level += 1 }
        let quantizer = 127 - level
        return quantizer + min(3, quantizer / 4)
    }

    /// What a `VP8 ` chunk holds for these colours.
    private static func colors(
        of buffer: borrowing PixelBuffer, _ quantizer: Int
    ) throws(EncodeError) -> [UInt8] {
        let blocks = ((buffer.width + 15) / 16) * ((buffer.height + 15) / 16)
        // No block comes near this, not even of noise at the finest quantizer.
        let room = 4096 + blocks * 1536
        let (width, height) = (Int32(buffer.width), Int32(buffer.height))
        let picture = unsafe buffer.withUnsafePixels { pixels in
            unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
                guard let start = target.baseAddress else { return }
                count = unsafe emb_webp_encode(
                    pixels, width, height, Int32(quantizer), start, room)
            }
        }
        guard !picture.isEmpty else { throw .failed(.webp, "no memory") }
        return picture
    }
}
