import Raster

/// The size that a bare codestream begins with (ISO/IEC 18181-1, SizeHeader).
enum JXLSize {
    /// The numerators and denominators by which the width follows from the height.
    private static let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]

    /// Reads it; `nil` where there is no codestream or it ends early.
    static func read(_ bytes: Span<UInt8>) -> PixelSize? {
        guard bytes.count > 2, bytes[0] == 0xFF, bytes[1] == 0x0A else { return nil }
        var bits = Bits(bytes.extracting(2..<min(bytes.count, 14)))
        guard let isSmall = bits.next(1), let height = side(&bits, isSmall: isSmall == 1),
            let ratio = bits.next(3)
        else { return nil }
        if ratio > 0 {
            let (times, over) = ratios[ratio - 1]
            return PixelSize(width: height * times / over, height: height)
        }
        guard let width = side(&bits, isSmall: isSmall == 1) else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// A small side is a multiple of eight; any other says first how long its number is.
    private static func side(_ bits: inout Bits, isSmall: Bool) -> Int? {
        if isSmall { return bits.next(5).map { ($0 + 1) * 8 } }
        guard let length = bits.next(2) else { return nil }
        return bits.next([9, 13, 18, 30][length]).map { $0 + 1 }
    }

    /// Bits, the lowest of each byte first.
    private struct Bits: ~Escapable {
        private let bytes: Span<UInt8>
        private var position = 0

        @_lifetime(copy bytes)
        init(_ bytes: Span<UInt8>) { self.bytes = bytes }

        mutating func next(_ count: Int) -> Int? {
            guard position + count <= bytes.count * 8 else { return nil }
            var value = 0
            for index in 0..<count {
                let bit = Int(bytes[(position + index) / 8] >> UInt8((position + index) % 8) & 1)
                value |= bit << index
            }
            position += count
            return value
        }
    }
}
