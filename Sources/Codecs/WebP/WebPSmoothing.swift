import Raster

/// The strength of the loop filter in a lossy image. The filter takes up to a third of libwebp's
/// time, and its effect is lost when the image is scaled down.
package enum WebPSmoothing {
    /// Returns whether the loop filter makes a visible difference for an image shown at `needed`.
    ///
    /// Images for which it does not had at least 54 dB, at qualities from 10 to 90.
    package static func isNeeded(level: Int, from size: PixelSize, to needed: PixelSize) -> Bool {
        let (across, down) = (size.width.saturating(times: 3), size.height.saturating(times: 3))
        return across < needed.width.saturating(times: 2 * level)
            || down < needed.height.saturating(times: 2 * level)
    }

    /// Returns the highest filter level of a macroblock, up to 63, from the frame header (RFC 6386,
    /// sections 9.2 to 9.4). `data` begins with the image chunk. Nil if the header is unusual.
    package static func level(in data: Span<UInt8>) -> Int? {
        let (chunk, frame) = (8, 10)
        guard ByteReader(data).holds("VP8 ", at: 0), data.count >= chunk + frame + 2 else {
            return nil
        }
        var answers = EvenAnswers(data, at: chunk + frame)
        // The colour space and the clamping type.
        _ = answers.number(bits: 2)
        guard let segments = segments(&answers) else { return nil }
        // The filter type, the level and the sharpness.
        _ = answers.number(bits: 1)
        let level = answers.number(bits: 6)
        _ = answers.number(bits: 3)
        var change = 0
        if answers.isYes(), answers.isYes() {
            let byReference = (0..<4).map { _ in answers.change(bits: 6) }
            let byMode = (0..<4).map { _ in answers.change(bits: 6) }
            // Key frames have no reference frames, and only small-block modes have a delta of their
            // own.
            change = byReference[0] + max(0, byMode[0])
        }
        // A level of 0 disables the filter for all segments.
        guard level > 0 else { return 0 }
        let highest = segments.levels.max() ?? 0
        return min(63, max(0, highest + change + (segments.areAbsolute ? 0 : level)))
    }

    /// Returns the filter levels of the segments, or their differences to the frame's level.
    private static func segments(
        _ answers: inout EvenAnswers
    ) -> (levels: [Int], areAbsolute: Bool)? {
        guard answers.isYes() else { return ([0], false) }
        let hasMap = answers.isYes()
        guard answers.isYes() else { return nil }
        let areAbsolute = answers.isYes()
        for _ in 0..<4 { _ = answers.change(bits: 7) }
        let levels = (0..<4).map { _ in answers.change(bits: 6) }
        for _ in 0..<3 where hasMap && answers.isYes() { _ = answers.number(bits: 8) }
        return (levels, areAbsolute)
    }
}

/// Reads equiprobable booleans (RFC 6386, section 7). Bytes past the end are zero.
private struct EvenAnswers: ~Escapable {
    private let data: Span<UInt8>
    private var offset: Int
    /// Two bytes: the current one and the next.
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

    mutating func isYes() -> Bool {
        let split = 1 + (range - 1) / 2
        let isYes = value >= split << 8
        if isYes {
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
        return isYes
    }

    mutating func number(bits: Int) -> Int {
        (0..<bits).reduce(0) { number, _ in number << 1 | (isYes() ? 1 : 0) }
    }

    /// Reads an optional signed number; 0 if it is absent.
    mutating func change(bits: Int) -> Int {
        guard isYes() else { return 0 }
        let size = number(bits: bits)
        return isYes() ? -size : size
    }

    private mutating func nextByte() -> Int {
        guard offset < data.count else { return 0 }
        defer { offset += 1 }
        return Int(data[offset])
    }
}
