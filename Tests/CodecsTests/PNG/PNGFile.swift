/// A generated PNG in which every part can be valid or invalid.
struct PNGFile {
    var chunks: [Chunk] = []

    struct Chunk {
        var name: String
        var body: [UInt8]
        var checksumError: UInt32 = 0
        /// The length to declare instead of the actual one.
        var claimedLength: UInt32?
    }

    var bytes: [UInt8] {
        var result: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for chunk in chunks {
            result += Self.big(chunk.claimedLength ?? UInt32(chunk.body.count))
            let part = Array(chunk.name.utf8) + chunk.body
            result += part + Self.big(Self.checksum(part) &+ chunk.checksumError)
        }
        return result
    }

    /// Creates a file from rows that already have filter bytes.
    init(
        width: Int, height: Int, depth: Int, type: Int, interlaced: Bool = false,
        before: [Chunk] = [], raw: [UInt8]
    ) {
        chunks = [Self.header(width: width, height: height, depth, type, interlaced ? 1 : 0)]
        chunks += before
        chunks.append(Chunk(name: "IDAT", body: Self.stored(raw)))
        chunks.append(Chunk(name: "IEND", body: []))
    }

    static func header(
        width: Int, height: Int, _ depth: Int, _ type: Int, _ interlace: Int = 0,
        compression: Int = 0, filter: Int = 0
    ) -> Chunk {
        Chunk(
            name: "IHDR",
            body: big(UInt32(truncatingIfNeeded: width)) + big(UInt32(truncatingIfNeeded: height))
                + [depth, type, compression, filter, interlace].map(UInt8.init))
    }

    static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var begin = 0
        repeat {
            let end = min(begin + 65_535, bytes.count)
            let length = UInt16(end - begin)
            result.append(end == bytes.count ? 1 : 0)
            for number in [length, ~length] {
                result += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
            }
            result += bytes[begin..<end]
            begin = end
        } while begin < bytes.count
        return result + big(adler(bytes))
    }

    /// Returns a zlib stream of `count` runs of 258 zeros, compressed 159 to 1.
    static func bomb(runs: Int) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var bits: UInt64 = 0
        var filled: UInt64 = 0
        func put(_ value: UInt64, _ count: UInt64) {
            bits |= value << filled
            filled += count
            while filled >= 8 {
                result.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                filled -= 8
            }
        }
        put(0b011, 3)
        // The literal 0, then length 258 at distance 1, in the fixed code.
        put(0b0000_1100, 8)
        for _ in 0..<runs { put(0b0000_0101_00011, 13) }
        put(0, 7)
        put(0, 8)
        // Decoders stop at a limit before the checksum, so any value will do.
        return result + [0, 0, 0, 0]
    }

    static func adler(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }
}
