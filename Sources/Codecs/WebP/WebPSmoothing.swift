import Raster

/// The strength of the loop filter in a lossy image. The filter takes up to a third of libwebp's
/// time, and its effect is lost when the image is scaled down.
package enum WebPSmoothing {
    /// Returns whether the loop filter makes a visible difference for an image shown at `needed`.
    ///
    /// Measured at qualities from 10 to 90: where this returns false, an image decoded without the
    /// filter differs from one with the filter by a PSNR of at least 54 dB.
    package static func isNeeded(level: Int, from size: PixelSize, to needed: PixelSize) -> Bool {
        let (across, down) = (size.width.saturating(times: 3), size.height.saturating(times: 3))
        return across < needed.width.saturating(times: 2 * level)
            || down < needed.height.saturating(times: 2 * level)
    }

    /// Returns the highest filter level of a macroblock, up to 63, from the frame header (RFC 6386,
    /// sections 9.2 to 9.4). The image chunk is at the start of `data`. Nil if it is not a VP8
    /// chunk, or if the header enables segments but states no levels for them.
    package static func level(in data: Span<UInt8>) -> Int? {
        let (chunk, frame) = (8, 10)
        guard ByteReader(data).holds("VP8 ", at: 0), data.count >= chunk + frame + 2 else {
            return nil
        }
        var header = HeaderBits(data, at: chunk + frame)
        // Skips the colour space and the clamping type.
        _ = header.literal(bits: 2)
        guard let segments = segments(&header) else { return nil }
        // Reads the level, which is between the filter type and the sharpness.
        _ = header.literal(bits: 1)
        let level = header.literal(bits: 6)
        _ = header.literal(bits: 3)
        var delta = 0
        if header.flag(), header.flag() {
            let referenceDeltas = (0..<4).map { _ in header.optionalSigned(bits: 6) }
            let modeDeltas = (0..<4).map { _ in header.optionalSigned(bits: 6) }
            // In a key frame, every macroblock has the first reference, "intra". Of the intra modes
            // only B_PRED has a delta, the first of the mode deltas.
            delta = referenceDeltas[0] + max(0, modeDeltas[0])
        }
        // A level of 0 disables the filter for all segments.
        guard level > 0 else { return 0 }
        let highest = segments.levels.max() ?? 0
        return min(63, max(0, highest + delta + (segments.areAbsolute ? 0 : level)))
    }

    /// Reads the filter levels of the segments, or their differences to the frame's level. Returns
    /// nil if the header enables segments but states no levels.
    private static func segments(
        _ header: inout HeaderBits
    ) -> (levels: [Int], areAbsolute: Bool)? {
        guard header.flag() else { return ([0], false) }
        let hasMap = header.flag()
        guard header.flag() else { return nil }
        let areAbsolute = header.flag()
        for _ in 0..<4 { _ = header.optionalSigned(bits: 7) }
        let levels = (0..<4).map { _ in header.optionalSigned(bits: 6) }
        for _ in 0..<3 where hasMap && header.flag() { _ = header.literal(bits: 8) }
        return (levels, areAbsolute)
    }
}

/// Decodes the fields of a frame header, whose booleans all have the probability 1/2 (RFC 6386,
/// section 7). Bytes past the end are zero.
private struct HeaderBits: ~Escapable {
    private let data: Span<UInt8>
    private var offset: Int
    /// The current byte and the next one, as a 16-bit number.
    private var value: Int
    private var range = 255
    /// The number of bits shifted out of the second byte.
    private var shifted = 0

    @_lifetime(copy data)
    init(_ data: Span<UInt8>, at offset: Int) {
        self.data = data
        self.offset = offset
        value = 0
        for _ in 0..<2 { value = value << 8 | nextByte() }
    }

    mutating func flag() -> Bool {
        let split = 1 + (range - 1) / 2
        let isSet = value >= split << 8
        if isSet {
            range -= split
            value -= split << 8
        } else {
            range = split
        }
        while range < 128 {
            range <<= 1
            value <<= 1
            shifted += 1
            if shifted == 8 {
                shifted = 0
                value |= nextByte()
            }
        }
        return isSet
    }

    /// Reads an unsigned number, the highest bit first.
    mutating func literal(bits: Int) -> Int {
        (0..<bits).reduce(0) { number, _ in number << 1 | (flag() ? 1 : 0) }
    }

    /// Reads a signed number preceded by a flag; returns 0 if the flag says that it is absent.
    mutating func optionalSigned(bits: Int) -> Int {
        guard flag() else { return 0 }
        let size = literal(bits: bits)
        return flag() ? -size : size
    }

    private mutating func nextByte() -> Int {
        guard offset < data.count else { return 0 }
        defer { offset += 1 }
        return Int(data[offset])
    }
}
