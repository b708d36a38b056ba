import Raster

/// How strongly readers of a lossy picture smooth the borders of its blocks. That takes libwebp up to
/// a third of its time, and is lost where many pixels become one.
package enum WebPSmoothing {
    /// Whether it can be seen that a picture of `size`, shown at `needed`, is not smoothed.
    ///
    /// Photographs and logos of which this says no, packed at qualities from 10 to 90, kept 54 dB
    /// and more.
    package static func isNeeded(level: Int, from size: PixelSize, to needed: PixelSize) -> Bool {
        let (across, down) = (size.width.saturating(times: 3), size.height.saturating(times: 3))
        return across < needed.width.saturating(times: 2 * level)
            || down < needed.height.saturating(times: 2 * level)
    }

    /// The highest level of a macroblock, up to 63, by the header of the frame (RFC 6386,
    /// sections 9.2 to 9.4); `data` begins with the picture's own chunk. Nil where that is not
    /// as writers write it.
    package static func level(in data: Span<UInt8>) -> Int? {
        let (chunk, frame) = (8, 10)
        guard ByteReader(data).holds("VP8 ", at: 0), data.count >= chunk + frame + 2 else {
            return nil
        }
        var answers = EvenAnswers(data, at: chunk + frame)
        // The space of colours, and whether values are clamped.
        _ = answers.number(bits: 2)
        guard let segments = segments(&answers) else { return nil }
        // Which of two ways of smoothing, the level, and how sharp edges stay.
        _ = answers.number(bits: 1)
        let level = answers.number(bits: 6)
        _ = answers.number(bits: 3)
        var change = 0
        if answers.isYes(), answers.isYes() {
            let byReference = (0..<4).map { _ in answers.change(bits: 6) }
            let byMode = (0..<4).map { _ in answers.change(bits: 6) }
            // Pictures refer to nothing, and only small blocks have a change of their own.
            change = byReference[0] + max(0, byMode[0])
        }
        // A level of nothing holds for all.
        guard level > 0 else { return 0 }
        let highest = segments.levels.max() ?? 0
        return min(63, max(0, highest + change + (segments.areAbsolute ? 0 : level)))
    }

    /// What segments have for a level, or add to that of the frame.
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

/// Reads answers that are as likely yes as no from a packed stream (RFC 6386, section 7). Behind its
/// end all is zero.
private struct EvenAnswers: ~Escapable {
    private let data: Span<UInt8>
    private var offset: Int
    /// Two bytes: those that decide, and what follows.
    private var value: Int
    private var range = 255
    /// Bits shifted out of the second byte.
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

    /// A number with a sign, if there is said to be one.
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
