import Codecs
import Raster
import Testing

/// A generated bitmap of 5 x 3 pixels, whose colours follow from their coordinates.
struct BMPSample {
    var bits = 24
    var isTopDown = false
    var isCore = false
    var masks: [Int] = []
    var compression = 0
    var alpha: UInt8 = 0
    static let (width, height) = (5, 3)

    static let palette: [[UInt8]] = (0..<256).map { [UInt8($0), UInt8(255 - $0), UInt8($0 / 2)] }
    func index(_ x: Int, _ y: Int) -> Int { (x * 3 + y * 5 + 1) % (1 << min(bits, 8)) }
    func color(_ x: Int, _ y: Int) -> [UInt8] { [UInt8(x * 40), UInt8(y * 80), UInt8(x * y * 20)] }

    func row(_ y: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        switch bits {
        case 24: for x in 0..<Self.width { bytes += color(x, y).reversed() }
        case 32: for x in 0..<Self.width { bytes += color(x, y).reversed() + [alpha] }
        case 16:
            for x in 0..<Self.width {
                let parts = color(x, y).map { Int($0) }
                bytes += le16((parts[0] >> 3) << 10 | (parts[1] >> 3) << 5 | parts[2] >> 3)
            }
        default:
            var byte = 0
            for x in 0..<8 / bits * ((Self.width * bits + 7) / 8) {
                byte = byte << bits | (x < Self.width ? index(x, y) : 0)
                if (x + 1) * bits % 8 == 0 {
                    bytes.append(UInt8(byte & 255))
                    byte = 0
                }
            }
        }
        return bytes + [UInt8](repeating: 0, count: (4 - bytes.count & 3) & 3)
    }

    /// Returns the bitmap header and colours; an icon's height includes its mask.
    func head(isIcon: Bool = false) -> [UInt8] {
        let height = isIcon ? Self.height * 2 : isTopDown ? -Self.height : Self.height
        var bytes: [UInt8]
        if isCore {
            bytes = le32(12) + le16(Self.width) + le16(height) + le16(1) + le16(bits)
        } else {
            bytes = le32(40) + le32(Self.width) + le32(height) + le16(1) + le16(bits)
            bytes += le32(compression) + le32(0) + le32(0) + le32(0) + le32(0) + le32(0)
        }
        for mask in masks { bytes += le32(mask) }
        if bits <= 8 {
            for color in Self.palette.prefix(1 << bits) {
                bytes += color.reversed() + (isCore ? [] : [0])
            }
        }
        return bytes
    }

    func rows() -> [UInt8] {
        let order = Array(0..<Self.height)
        return (isTopDown ? order : order.reversed()).flatMap { row($0) }
    }

    func bytes() -> [UInt8] {
        let (head, rows) = (head(), rows())
        return Array("BM".utf8) + le32(14 + head.count + rows.count) + le32(0)
            + le32(14 + head.count) + head + rows
    }

    /// Returns whether every pixel is close to the stored one and has exactly this alpha.
    func isRight(_ buffer: borrowing PixelBuffer, alpha: UInt8 = 255) -> Bool {
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let found = pixel(buffer, x, y)
                let expected = bits <= 8 ? Self.palette[index(x, y)] : color(x, y)
                let isNear = zip(found, expected).allSatisfy {
                    abs(Int($0) - Int($1) * Int(alpha) / 255) <= (bits == 16 ? 8 : 1)
                }
                if !isNear || found[3] != alpha { return false }
            }
        }
        return true
    }
}

@Suite("BMP and icons")
struct BMPTests {
    static let kinds: [BMPSample] =
        [1, 2, 4, 8, 16, 24, 32].map { BMPSample(bits: $0) } + [
            BMPSample(bits: 24, isTopDown: true), BMPSample(bits: 32, alpha: 100),
        ]

    @Test("each kind of BMP is decoded pixel by pixel", arguments: kinds.indices)
    func everyKind(index: Int) throws {
        let sample = Self.kinds[index]
        let decoded = try decode(sample.bytes())
        #expect(decoded.isOpaque == true)
        #expect(sample.isRight(decoded) == true)
    }

    @Test(
        "a BMP with runs, bit fields or a header of OS/2 is refused as unsupported",
        arguments: [
            BMPSample(bits: 8, compression: 1), BMPSample(bits: 4, compression: 2),
            BMPSample(bits: 16, masks: [0xF800, 0x7E0, 0x1F], compression: 3),
            BMPSample(bits: 32, masks: [0xFF_0000, 0xFF00, 0xFF], compression: 3),
            BMPSample(
                bits: 32, masks: [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000], compression: 6),
            BMPSample(bits: 8, isCore: true), BMPSample(bits: 24, isCore: true),
        ])
    func unsupported(sample: BMPSample) {
        #expect(Outcome(sample.bytes()).error?.isUnsupported == true)
    }

    /// Returns the sample with a header of 124 bytes and this colour information.
    private static func long(
        _ kind: String, points: [Double] = [], gamma: Double = 0, profile: [UInt8] = []
    ) -> [UInt8] {
        let sample = BMPSample(bits: 24)
        var head = le32(124) + sample.head().dropFirst(4) + [UInt8](repeating: 0, count: 16)
        head += kind == "" ? le32(0) : Array(kind.utf8.reversed())
        head += (points + [Double](repeating: 0, count: 9)).prefix(9)
            .flatMap { le32(Int($0 * Double(1 << 30))) }
        head += (0..<3).flatMap { _ in le32(Int(gamma * 65_536)) }
        head += le32(4) + le32(124 + sample.rows().count) + le32(profile.count) + le32(0)
        let rows = sample.rows()
        return Array("BM".utf8) + le32(14 + head.count + rows.count + profile.count) + le32(0)
            + le32(14 + head.count) + head + rows + profile
    }

    @Test("the profile and primaries of a long BMP header are applied, and zeros mean sRGB")
    func profiles() throws {
        let plain = Outcome(Self.long("sRGB"))
        #expect(plain.error == nil)
        #expect(Outcome(Self.long("Win ")) == plain && Outcome(Self.long("")) == plain)
        #expect(Outcome(Self.long("LINK", profile: Array("C:/wide.icc".utf8))) == plain)
        let embedded = Self.long("MBED", profile: ProfileSample.adobe)
        #expect(try readHeader(embedded).profileName == "Wide")
        let wide = try decode(embedded)
        let (found, stored) = (pixel(wide, 4, 1), BMPSample(bits: 24).color(4, 1))
        #expect(found[0] > stored[0] && found[3] == 255)
        let broken = Self.long("MBED", profile: Array(ProfileSample.adobe.prefix(90)))
        #expect(Outcome(broken) == plain)
        let gamut = [0.68, 0.32, 0, 0.265, 0.69, 0.045, 0.15, 0.06, 0.79]
        let calibrated = try decode(Self.long("", points: gamut, gamma: 2.2))
        let display = pixel(calibrated, 4, 1)
        #expect(display[0] > stored[0] && display[1] < stored[1])
        // Some writers store the inverse gamma.
        let reciprocal = Self.long("", points: gamut, gamma: 1 / 2.2)
        #expect(try readHeader(reciprocal).hasProfile)
        let same = distance(try decode(reciprocal), calibrated)
        #expect(same < 1)
    }

    @Test("a BMP pixel offset that leaves no room for colours is corrected")
    func wrongOffset() throws {
        let sample = BMPSample(bits: 8)
        var bytes = sample.bytes()
        bytes.replaceSubrange(10..<14, with: le32(54))
        let decoded = try decode(bytes)
        #expect(sample.isRight(decoded) == true)
    }

    @Test("BMP data that ends early is truncated, but padding may be missing")
    func truncated() throws {
        let bytes = BMPSample(bits: 24).bytes()
        for length in 18..<bytes.count - 1 {
            #expect(Outcome(Array(bytes.prefix(length))).error == .truncated, "\(length)")
        }
        #expect(Outcome(Array(bytes.dropLast())).error == nil)
    }

    @Test("hostile BMP headers are refused")
    func hostile() {
        var bytes = BMPSample(bits: 24).bytes()
        bytes.replaceSubrange(18..<26, with: le32(0x7FFF_FFFF) + le32(-0x8000_0000))
        #expect(Outcome(bytes).error == .limitPixels)
        bytes.replaceSubrange(18..<26, with: le32(-5) + le32(3))
        #expect(Outcome(bytes).error?.isCorrupt == true)
        #expect(Outcome(BMPSample(bits: 24, compression: 4).bytes()).error?.isUnsupported == true)
        #expect(Outcome(BMPSample(bits: 24, compression: 1).bytes()).error?.isUnsupported == true)
        var depth = BMPSample(bits: 24).bytes()
        depth[28] = 7
        #expect(Outcome(depth).error?.isUnsupported == true)
    }
}

extension DecodeError {
    var isUnsupported: Bool {
        if case .unsupported = self { true } else { false }
    }
}

@Suite("ICO and CUR files")
struct ICOTests {
    static func file(_ entries: [(side: Int, data: [UInt8])], kind: Int = 1) -> [UInt8] {
        var head = le16(0) + le16(kind) + le16(entries.count)
        var offset = 6 + entries.count * 16
        for entry in entries {
            head += [UInt8(entry.side & 255), UInt8(entry.side & 255), 0, 0] + le16(1) + le16(32)
            head += le32(entry.data.count) + le32(offset)
            offset += entry.data.count
        }
        return head + entries.flatMap { $0.data }
    }

    static func png(_ width: Int, _ height: Int) -> [UInt8] {
        let picture = Sample.waves(width, height)
        do throws(EncodeError) {
            return try ImageEncoder.encode(picture, EncodeSettings(format: .png))
        } catch {
            return []
        }
    }

    @Test("the largest icon entry is decoded, as PNG or bitmap")
    func largest() throws {
        let sample = BMPSample(bits: 24)
        let bitmap = sample.head(isIcon: true) + sample.rows()
        let bytes = Self.file([(5, bitmap), (256, Self.png(40, 30)), (16, bitmap)])
        #expect(try readHeader(bytes).size == PixelSize(width: 40, height: 30))
        let decoded = try decode(bytes)
        let error = distance(decoded, Sample.waves(40, 30))
        #expect(error == 0)
        let small = try decode(Self.file([(5, bitmap)], kind: 2))
        #expect(sample.isRight(small) == true)
    }

    @Test("the mask of an icon clears pixels, and missing mask rows are opaque")
    func mask() throws {
        let sample = BMPSample(bits: 24)
        let mask: [UInt8] = [0b1000_0000, 0, 0, 0, 0, 0, 0, 0, 0b0000_1000, 0, 0, 0]
        let bitmap = sample.head(isIcon: true) + sample.rows()
        let decoded = try decode(Self.file([(5, bitmap + mask)]))
        #expect(pixel(decoded, 0, 2) == [0, 0, 0, 0] && pixel(decoded, 4, 0) == [0, 0, 0, 0])
        #expect(pixel(decoded, 1, 2)[3] == 255)
        let short = try decode(Self.file([(5, bitmap + mask.prefix(4))]))
        #expect(pixel(short, 0, 2)[3] == 0 && pixel(short, 4, 0)[3] == 255)
        let deep = BMPSample(bits: 32, alpha: 90)
        let own = try decode(Self.file([(5, deep.head(isIcon: true) + deep.rows() + mask)]))
        #expect(deep.isRight(own, alpha: 90) == true)
        let empty = BMPSample(bits: 32, alpha: 0)
        let masked = try decode(Self.file([(5, empty.head(isIcon: true) + empty.rows() + mask)]))
        #expect(pixel(masked, 0, 2)[3] == 0 && pixel(masked, 1, 2)[3] == 255)
    }

    @Test("wrong lengths in an icon directory are ignored")
    func wrongLengths() throws {
        let sample = BMPSample(bits: 24)
        let mask: [UInt8] = [0b1000_0000, 0, 0, 0, 0, 0, 0, 0, 0b0000_1000, 0, 0, 0]
        let bitmap = sample.head(isIcon: true) + sample.rows() + mask
        let right = Outcome(Self.file([(5, bitmap)]))
        let png = Self.png(30, 20)
        for length in [0, 1, 40, 60, bitmap.count + 1, 1 << 30] {
            var bytes = Self.file([(5, bitmap)])
            bytes.replaceSubrange(14..<18, with: le32(length))
            #expect(Outcome(bytes) == right, "\(length)")
            var packed = Self.file([(30, png)])
            packed.replaceSubrange(14..<18, with: le32(length))
            #expect(Outcome(packed) == Outcome(Self.file([(30, png)])), "\(length)")
        }
        // A mask outside the length in the directory does not count, even if other bytes follow.
        let bare = sample.head(isIcon: true) + sample.rows()
        let opaque = try decode(Self.file([(5, bare), (4, [UInt8](repeating: 255, count: 99))]))
        #expect(pixel(opaque, 0, 0)[3] == 255 && sample.isRight(opaque) == true)
    }

    @Test("the deepest of equal icon sizes is decoded, even if the directory omits the depth")
    func deepest() throws {
        let (poor, rich) = (BMPSample(bits: 4), BMPSample(bits: 24))
        let pair = [poor, rich].map { (side: 5, data: $0.head(isIcon: true) + $0.rows()) }
        for order in [pair, pair.reversed()] {
            var bytes = Self.file(order)
            for line in [6, 22] { bytes.replaceSubrange(line + 6..<line + 8, with: le16(0)) }
            let decoded = try decode(bytes)
            #expect(rich.isRight(decoded) == true)
            let cursor = try decode(Self.file(order, kind: 2))
            #expect(rich.isRight(cursor) == true)
        }
    }

    @Test("hostile icon directories end without a crash")
    func hostile() {
        #expect(Outcome(Self.file([])).error?.isCorrupt == true)
        #expect(Outcome([0, 0, 1, 0]).error == .truncated)
        #expect(Outcome(le16(0) + le16(1) + le16(65_535)).error == .truncated)
        var outside = Self.file([(16, Self.png(4, 4)), (32, Self.png(8, 8))])
        outside.replaceSubrange(6 + 16 + 12..<6 + 32, with: [255, 255, 255, 127])
        let first = Outcome(Self.file([(16, Self.png(4, 4))]))
        #expect(Outcome(outside) == first)
        var large = Self.png(4, 4)
        large.replaceSubrange(16..<24, with: be32(30_000) + be32(30_000))
        let error = Outcome(Self.file([(16, large)])).error
        #expect(error == .limitPixels || error?.isCorrupt == true)
        #expect(Outcome(Array(Self.file([(16, Self.png(40, 40))]).dropLast(50))).error != nil)
    }
}
