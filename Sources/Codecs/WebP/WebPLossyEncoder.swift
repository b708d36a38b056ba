import CKernels
import CWebPLossy
import Glibc
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
        let (width, height) = (buffer.width, buffer.height)
        if buffer.isOpaque {
            let picture = try colors(of: buffer, quantizer)
            return try WebPFile.image(
                width: width, height: height, alpha: [], colors: picture.span)
        }
        let layers = WebPLayers(of: buffer)
        let picture = try colors(of: layers.colors, quantizer)
        let alpha =
            try layers.alpha.isEmpty
            ? []
            : WebPAlphaCache.packed(layers.alpha, width: width) { () throws(EncodeError) in
                try WebPEncoder.packAlpha(layers.alpha.span, width: width, height: height)
            }
        return try WebPFile.image(
            width: width, height: height, alpha: alpha, colors: picture.span)
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
        // No encoded image is that large, not even noise at the finest quantizer.
        let room = 4096 + Int((width + 15) / 16) * Int((height + 15) / 16) * 1536
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

/// Separates an image into straight colours and alpha.
///
/// Where alpha is low, as at a rounded corner, many straight colours give the same premultiplied
/// pixel. Among these, the pixel gets the colour nearest to that of its neighbour. The colour plane
/// then is smooth, and a corner costs only the bytes of its alpha.
struct WebPLayers: ~Copyable {
    /// The colours; their alpha is not used.
    var colors: PixelBuffer
    /// One alpha value per pixel; empty if every pixel is opaque.
    var alpha: [UInt8]

    init(of buffer: borrowing PixelBuffer) {
        let (width, height) = (buffer.width, buffer.height)
        var colors = PixelBuffer(unwritten: buffer.size)
        var isOpaque = true
        /// The rows in which every alpha is below `reliableAlpha`, so that no colour is precise.
        var faint: [Int] = []
        unsafe buffer.withUnsafePixels { pixels in
            unsafe colors.withUnsafeMutablePixels { result in
                for y in 0..<height {
                    let row = unsafe Row(
                        source: UnsafeRawPointer(pixels) + y * width * 4,
                        result: UnsafeMutableRawPointer(result) + y * width * 4, width: width)
                    guard !row.copy() else { continue }
                    isOpaque = false
                    if !row.spread() { faint.append(y) }
                }
                guard faint.count < height else { return }
                let leading = faint.leading
                for y in faint.dropFirst(leading) {
                    unsafe Self.follow(y, after: y - 1, pixels, result, width)
                }
                for y in (0..<leading).reversed() {
                    unsafe Self.follow(y, after: y + 1, pixels, result, width)
                }
            }
        }
        if faint.count == height { StraightAlpha.copy(buffer, into: &colors) }
        alpha = isOpaque ? [] : Self.alpha(of: buffer)
        self.colors = colors
    }

    /// Converts the row `y` to colours near those of the row `other`, which is already converted.
    @unsafe
    private static func follow(
        _ y: Int, after other: Int, _ pixels: UnsafePointer<UInt8>,
        _ result: UnsafeMutablePointer<UInt8>, _ width: Int
    ) {
        let row = unsafe Row(
            source: UnsafeRawPointer(pixels) + y * width * 4,
            result: UnsafeMutableRawPointer(result) + y * width * 4, width: width)
        unsafe row.follow(UnsafeRawPointer(result) + other * width * 4)
    }

    private static func alpha(of buffer: borrowing PixelBuffer) -> [UInt8] {
        let count = buffer.size.area
        return unsafe buffer.withUnsafePixels { pixels in
            unsafe [UInt8](unsafeUninitializedCapacity: count) { target, written in
                for index in 0..<count { unsafe target[index] = pixels[index &* 4 &+ 3] }
                written = count
            }
        }
    }
}

extension [Int] {
    /// The number of elements at the start that are 0, 1, 2 and so on without a gap.
    fileprivate var leading: Int {
        var count = 0
        while count < self.count, self[count] == count { count += 1 }
        return count
    }
}

/// A row that is converted from premultiplied to straight.
@safe
private struct Row {
    private let source: UnsafeRawPointer
    private let result: UnsafeMutableRawPointer
    private let width: Int

    /// The least alpha at which a pixel's own colour is precise enough for its neighbours.
    private static let reliableAlpha: UInt32 = 128

    @unsafe
    init(source: UnsafeRawPointer, result: UnsafeMutableRawPointer, width: Int) {
        unsafe self.source = source
        unsafe self.result = result
        self.width = width
    }

    /// Copies the row and returns whether that is enough, because every pixel is opaque.
    func copy() -> Bool {
        unsafe memcpy(result, source, width * 4)
        var all = UInt32.max
        for x in 0..<width {
            all &= unsafe source.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
        }
        return all &>> 24 == 255
    }

    /// Converts the row from its first pixel of reliable colour to both ends. Each pixel gets a
    /// colour near that of its neighbour. Returns false if no pixel has a reliable colour.
    func spread() -> Bool {
        guard let start = (0..<width).first(where: { pixel($0) &>> 24 >= Self.reliableAlpha })
        else { return false }
        let own = pixel(start)
        let alpha = own &>> 24
        let seed =
            straight(own & 0xFF, alpha) | straight(own &>> 8 & 0xFF, alpha) &<< 8
            | straight(own &>> 16 & 0xFF, alpha) &<< 16
        var color = seed
        for x in (0..<start).reversed() { color = put(x, near: color) }
        color = seed
        for x in start..<width { color = put(x, near: color) }
        return true
    }

    /// Converts each pixel to a colour near that of the pixel in the same column of another row.
    @unsafe
    func follow(_ other: UnsafeRawPointer) {
        for x in 0..<width {
            _ = unsafe put(
                x, near: other.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self))
        }
    }

    private func pixel(_ x: Int) -> UInt32 {
        unsafe source.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
    }

    /// Writes the pixel `x` in the straight colour nearest to `color`, and returns that colour.
    private func put(_ x: Int, near color: UInt32) -> UInt32 {
        let own = pixel(x)
        let alpha = own &>> 24
        guard alpha < 255 else { return own }
        let made =
            alpha == 0
            ? color & 0xFF_FFFF
            : near(own & 0xFF, alpha, color & 0xFF)
                | near(own &>> 8 & 0xFF, alpha, color &>> 8 & 0xFF) &<< 8
                | near(own &>> 16 & 0xFF, alpha, color &>> 16 & 0xFF) &<< 16
        unsafe result.storeBytes(of: made, toByteOffset: x &* 4, as: UInt32.self)
        return made
    }

    /// Returns 255 · value / alpha, rounded to nearest.
    private func straight(_ value: UInt32, _ alpha: UInt32) -> UInt32 {
        min(255, (value &* 510 &+ alpha) / (alpha &* 2))
    }

    /// Returns the straight value that premultiplies to `value` and is nearest to `wanted`.
    private func near(_ value: UInt32, _ alpha: UInt32, _ wanted: UInt32) -> UInt32 {
        let (middle, twice) = (value &* 510, alpha &* 2)
        let least = middle < 255 ? 0 : (middle &- 255 &+ twice &- 1) / twice
        let most = min(255, (middle &+ 255) / twice)
        return min(max(wanted, min(least, 255)), most)
    }
}
