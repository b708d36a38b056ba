import CJPEGXL
import Glibc
import Raster

/// Writes JPEG XL through libjxl: a bare codestream, lossy or lossless, without metadata.
package enum JXLEncoder {
    /// The longest side that every reader must support (level 5 of the standard).
    static let edgeLimit = 1 << 18

    /// The libjxl effort for lossy files. On 340 emblems of 40 to 160 pixels, effort 7 takes 1.6
    /// times the time for no fewer bytes; effort 3 takes half the time for 7 % more bytes.
    private static let lossyEffort: Int32 = 5
    /// The libjxl effort for lossless files. Effort 5 takes nearly the same time for 5 % more
    /// bytes; effort 8 takes twice the time for 2 % fewer bytes.
    private static let losslessEffort: Int32 = 7

    /// The Butteraugli distance of quality 60. At a higher distance, libjxl 0.7 makes opaque pixels
    /// slightly transparent.
    private static let alphaDistanceLimit: Float = 3.7

    /// Encodes on one thread, so that the same pixels give the same bytes.
    package static func encode(
        _ buffer: borrowing PixelBuffer, quality: EncodeQuality
    ) throws(EncodeError) -> [UInt8] {
        guard max(buffer.width, buffer.height) <= edgeLimit else {
            throw .tooLarge(.jxl, buffer.size)
        }
        var straight = PixelBuffer(size: buffer.size)
        StraightAlpha.copy(buffer, into: &straight)
        let isOpaque = buffer.isOpaque
        if isOpaque { pack(&straight) }
        let (distance, effort) =
            switch quality {
            case .lossy(let value):
                (
                    min(Self.distance(value), isOpaque ? .infinity : alphaDistanceLimit),
                    lossyEffort
                )
            case .lossless: (0, losslessEffort)
            }
        let (width, height) = (UInt32(buffer.width), UInt32(buffer.height))
        var written: UnsafeMutablePointer<UInt8>?
        var count = 0
        let outcome = unsafe straight.withUnsafePixels { pixels in
            unsafe emb_jxl_write(
                pixels, width, height, isOpaque ? 0 : 1, distance, effort, &written, &count)
        }
        defer { unsafe free(written) }
        switch Int(outcome) {
        case EMB_JXL_OK: return unsafe Array(UnsafeBufferPointer(start: written, count: count))
        case EMB_JXL_MISSING: throw .unavailable(.jxl, JXLLibrary.whatIsMissing)
        case EMB_JXL_NO_MEMORY: throw .failed(.jxl, "no memory")
        default: throw .failed(.jxl, "libjxl rejects the picture")
        }
    }

    /// Returns the Butteraugli distance of a JPEG quality; 1 is just not visible. Uses the linear
    /// part of the formula in libjxl's own tools, and a steeper curve below quality 30.
    private static func distance(_ quality: Int) -> Float {
        let quality = Float(min(max(quality, 1), 100))
        return quality >= 30
            ? 0.1 + (100 - quality) * 0.09 : 6.4 + (30 - quality) * (30 - quality) / 50
    }

    /// Packs the colours of opaque pixels to three bytes each.
    private static func pack(_ buffer: inout PixelBuffer) {
        let count = buffer.size.area
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for index in 1..<max(count, 1) {
                for channel in 0..<3 {
                    unsafe pixels[index * 3 + channel] = pixels[index * 4 + channel]
                }
            }
        }
    }
}
