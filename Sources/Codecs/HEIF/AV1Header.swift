import Raster

/// The fields of an AV1 sequence header (AV1 specification, 5.5).
struct AV1Header {
    let size: PixelSize
    let isGrey: Bool
    /// Whether samples use the full range; otherwise black is 16 and white 235 of 255.
    let isFullRange: Bool

    /// The most OBUs that may precede the sequence header. Real files start with it.
    private static let unitsLimit = 4

    /// Reads the first sequence header in an item's data; `nil` if there is none.
    init?(_ bytes: Span<UInt8>) {
        var data = BitReader(ByteReader(bytes))
        for _ in 0..<Self.unitsLimit {
            guard data.read(1) == 0, let kind = data.read(4), let isExtended = data.read(1),
                let hasLength = data.read(1), data.skip(isExtended == 1 ? 9 : 1),
                let length = hasLength == 1 ? data.variableLength() : 0
            else { return nil }
            if kind == 1 {
                guard let header = Self.read(&data) else { return nil }
                self = header
                return
            }
            guard hasLength == 1, data.skip(length * 8) else { return nil }
        }
        return nil
    }

    private init(size: PixelSize, isGrey: Bool, isFullRange: Bool) {
        self.size = size
        self.isGrey = isGrey
        self.isFullRange = isFullRange
    }

    private static func read(_ data: inout BitReader) -> AV1Header? {
        guard let profile = data.read(3), data.skip(1), let isReduced = data.read(1),
            isReduced == 1 ? data.skip(5) : skipTiming(&data),
            let widthBits = data.read(4), let heightBits = data.read(4),
            let width = data.read(widthBits + 1), let height = data.read(heightBits + 1)
        else { return nil }
        if isReduced == 0, data.read(1) == 1 { _ = data.skip(7) }
        // Skips the superblock size and two filters, then the fields for sequences, then three more
        // filters.
        guard data.skip(3), isReduced == 1 || skipTools(&data), data.skip(3),
            let isDeep = data.read(1), profile != 2 || isDeep == 0 || data.skip(1),
            let isGrey = profile == 1 ? 0 : data.read(1), let hasNumbers = data.read(1)
        else { return nil }
        var isRGB = false
        if hasNumbers == 1 {
            guard let numbers = data.read(24) else { return nil }
            isRGB = isGrey == 0 && numbers == 1 << 16 | 13 << 8
        }
        guard let isFullRange = isRGB ? 1 : data.read(1) else { return nil }
        return AV1Header(
            size: PixelSize(width: width + 1, height: height + 1), isGrey: isGrey == 1,
            isFullRange: isFullRange == 1)
    }

    /// Skips timing and operating points, which do not matter for a still image.
    private static func skipTiming(_ data: inout BitReader) -> Bool {
        var delayBits: Int?
        if data.read(1) == 1 {
            guard data.skip(64) else { return false }
            if data.read(1) == 1 {
                var zeros = 0
                while data.read(1) == 0, zeros < 32 { zeros += 1 }
                guard zeros < 32, data.skip(zeros) else { return false }
            }
            if data.read(1) == 1 {
                guard let bits = data.read(5), data.skip(42) else { return false }
                delayBits = bits + 1
            }
        }
        guard let hasDelay = data.read(1), let count = data.read(5) else { return false }
        for _ in 0...count {
            guard data.skip(12), let level = data.read(5), level <= 7 || data.skip(1) else {
                return false
            }
            if let delayBits, data.read(1) == 1 { _ = data.skip(2 * delayBits + 1) }
            if hasDelay == 1, data.read(1) == 1 { _ = data.skip(4) }
        }
        return true
    }

    private static func skipTools(_ data: inout BitReader) -> Bool {
        guard data.skip(4), let hasOrder = data.read(1), hasOrder == 0 || data.skip(2),
            let choosesScreenTools = data.read(1),
            let screenTools = choosesScreenTools == 1 ? 1 : data.read(1)
        else { return false }
        if screenTools == 1, data.read(1) == 0 { _ = data.skip(1) }
        return hasOrder == 0 || data.skip(3)
    }
}

/// Reads numbers of any bit count, high bit first. A read past the end returns `nil`.
private struct BitReader: ~Escapable {
    private let reader: ByteReader
    private var offset = 0

    @_lifetime(copy reader)
    init(_ reader: ByteReader) { self.reader = reader }

    mutating func read(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let byte = reader.u8(offset >> 3) else { return nil }
            value = value << 1 | byte >> (7 - offset & 7) & 1
            offset += 1
        }
        return value
    }

    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= reader.count * 8 - offset else { return false }
        offset += count
        return true
    }

    /// Reads a number in groups of seven bits, low group first (leb128), the encoding of OBU sizes.
    mutating func variableLength() -> Int? {
        var value = 0
        for group in 0..<4 {
            guard let byte = read(8) else { return nil }
            value |= (byte & 127) << (7 * group)
            if byte < 128 { return value }
        }
        return nil
    }
}
