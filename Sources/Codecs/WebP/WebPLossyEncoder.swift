import CKernels
import CWebPLossy
import Raster
import System

/// A lossy WebP encoder for small images with large areas of one colour.
///
/// At equal fidelity it takes fewer bytes and half the time of libwebp.
enum WebPLossyEncoder {
    /// Returns whether this encoder handles images of this size. For larger images the additional
    /// techniques of libwebp pay off.
    static func handles(_ size: PixelSize) -> Bool {
        max(size.width, size.height) <= Int(EMB_WEBP_SIDE)
    }

    static func encode(
        _ buffer: borrowing PixelBuffer, quality: Int
    ) throws(EncodeError) -> [UInt8] {
        let quantizer = quantizer(for: quality)
        if buffer.isOpaque {
            let picture = try colors(of: buffer, quantizer)
            return WebPFile.opaqueFile(picture.span)
        }
        let layers = WebPLayers(of: buffer)
        let picture = try colors(of: layers.colors, quantizer)
        guard !layers.alpha.isEmpty else { return WebPFile.opaqueFile(picture.span) }
        let (width, height) = (buffer.width, buffer.height)
        let alpha = try WebPAlphaCache.packed(layers.alpha, width: width) {
            () throws(EncodeError) in
            try WebPEncoder.packAlpha(layers.alpha.span, width: width, height: height)
        }
        return WebPFile.fileWithAlpha(
            width: width, height: height, alpha: alpha, picture: picture.span)
    }

    /// Qualities and their quantizers; values in between are interpolated linearly. On emblems at
    /// qualities from 50 to 90, the PSNR equals that of libwebp to 0.1 dB, in 6 to 9 % fewer bytes.
    private static let quantizers: [(quality: Int, quantizer: Int)] = [
        (1, 106), (10, 78), (25, 60), (50, 42), (75, 29), (90, 11), (100, 0),
    ]

    static func quantizer(for quality: Int) -> Int {
        let value = min(max(quality, 1), 100)
        let next = quantizers.firstIndex { $0.quality > value } ?? quantizers.count - 1
        let (low, high) = (quantizers[next - 1], quantizers[next])
        let (above, width) = (value - low.quality, high.quality - low.quality)
        let sum = low.quantizer * (width - above) + high.quantizer * above
        return (sum + width / 2) / width
    }

    /// Returns the content of a `VP8 ` chunk with the colours of an image.
    private static func colors(
        of buffer: borrowing PixelBuffer, _ quantizer: Int
    ) throws(EncodeError) -> [UInt8] {
        let (width, height) = (Int32(buffer.width), Int32(buffer.height))
        let room = roomBytes(for: buffer.size)
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

    /// Returns the size of the output buffer in bytes. No encoded image is that large, not even
    /// noise at the finest quantizer.
    static func roomBytes(for size: PixelSize) -> Int {
        4096 + ((size.width + 15) / 16) * ((size.height + 15) / 16) * 1536
    }
}

/// A cache of compressed alpha planes. The emblems of a run mostly have the same rounded corners,
/// and compressing a plane takes as long as encoding the colours of a small image.
enum WebPAlphaCache {
    /// An alpha plane. The hash uses eight bytes of every 520, which is fast and distinguishes most
    /// planes. 520 does not divide usual widths, so the samples are not all at one edge.
    private struct Key: Hashable {
        let width: Int
        let plane: [UInt8]

        func hash(into hasher: inout Hasher) {
            hasher.combine(width)
            hasher.combine(plane.count)
            unsafe plane.withUnsafeBytes { bytes in
                for offset in stride(from: 0, through: bytes.count - 8, by: 520) {
                    unsafe hasher.combine(
                        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                }
            }
        }
    }

    /// The limit of 16 planes fits four layouts at three scales and a few more; it allows at most
    /// two megabytes.
    private static let entries = BoundedCache<Key, [UInt8]>(countLimit: 16)
    /// The largest plane that is cached. Larger planes rarely repeat.
    private static let planeBytesLimit = 128 << 10

    /// Returns the content of an `ALPH` chunk for this plane, from the cache or from `pack`.
    static func packed<Failure>(
        _ plane: [UInt8], width: Int, pack: () throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        guard plane.count <= planeBytesLimit else { return try pack() }
        return try entries.value(for: Key(width: width, plane: plane), make: pack)
    }
}

/// A lossy file together with the encoder's own reconstruction, for verification.
package struct WebPReconstruction: Sendable {
    package let file: [UInt8]
    /// The luma plane and both chroma planes, before the loop filter.
    package let planes: [UInt8]

    /// - Parameters:
    ///   - buffer: no side longer than 2,048; its alpha is ignored.
    ///   - quantizer: from 0, finest, to 127.
    /// - Throws: `tooLarge`, or `failed` where memory is short.
    package init(of buffer: borrowing PixelBuffer, quantizer: Int) throws(EncodeError) {
        guard WebPLossyEncoder.handles(buffer.size) else { throw .tooLarge(.webp, buffer.size) }
        let (width, height) = (buffer.width, buffer.height)
        let room = WebPLossyEncoder.roomBytes(for: buffer.size)
        var picture = [UInt8](repeating: 0, count: room)
        var planes = [UInt8](
            repeating: 0, count: width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2))
        let count = unsafe buffer.withUnsafePixels { pixels in
            unsafe picture.withUnsafeMutableBufferPointer { target in
                unsafe planes.withUnsafeMutableBufferPointer { made in
                    guard let start = target.baseAddress, let first = made.baseAddress else {
                        return 0
                    }
                    return unsafe emb_webp_encode_planes(
                        pixels, Int32(width), Int32(height), Int32(quantizer), start, room, first)
                }
            }
        }
        guard count > 0 else { throw .failed(.webp, "no memory") }
        picture.removeLast(room - count)
        file = WebPFile.opaqueFile(picture.span)
        self.planes = planes
    }
}
