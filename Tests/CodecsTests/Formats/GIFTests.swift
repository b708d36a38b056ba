import Codecs
import Raster
import Testing

struct GIFSample {
    var width = 12
    var height = 10
    var screen = (12, 10)
    var origin = (0, 0)
    var isInterlaced = false
    var transparent: Int?
    var hasLocalColors = false

    static let colors: [[UInt8]] = (0..<16).map { (index: UInt8) -> [UInt8] in
        [index * 16, 255 - index * 16, index * 7]
    }

    static func index(_ x: Int, _ y: Int) -> UInt8 { UInt8((x / 2 + y * 3) % 16) }

    func frame() -> [UInt8] {
        var rows = Array(0..<height)
        if isInterlaced {
            rows = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
                Array(stride(from: first, to: height, by: step))
            }
        }
        let indices = rows.flatMap { y in (0..<width).map { x in Self.index(x, y) } }
        var bytes: [UInt8] = []
        if let transparent { bytes += [0x21, 0xF9, 4, 1, 0, 0, UInt8(transparent), 0] }
        bytes += [0x2C] + le16(origin.0) + le16(origin.1) + le16(width) + le16(height)
        bytes += [(isInterlaced ? 0x40 : 0) | (hasLocalColors ? 0x83 : 0)]
        if hasLocalColors { bytes += Self.colors.joined() }
        return bytes + Self.pack(indices)
    }

    func bytes(frames: Int = 1) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + le16(screen.0) + le16(screen.1)
        bytes += [hasLocalColors ? 0 : 0x83, 0, 0]
        if !hasLocalColors { bytes += Self.colors.joined() }
        bytes += [0x21, 0xFE, 3, 1, 2, 3, 0]
        for _ in 0..<frames { bytes += frame() }
        return bytes + [0x3B]
    }

    /// Compresses with codes of four to twelve bits in blocks of at most 255 bytes.
    static func pack(_ indices: [UInt8]) -> [UInt8] {
        var codes: [[UInt8]: Int] = [:]
        var bits: [Bool] = []
        var width = 5
        var next = 18
        func put(_ code: Int) { for bit in 0..<width { bits.append(code >> bit & 1 == 1) } }
        func code(_ text: [UInt8]) -> Int { text.count == 1 ? Int(text[0]) : codes[text] ?? 0 }
        put(16)
        var text: [UInt8] = []
        for index in indices {
            if text.isEmpty || codes[text + [index]] != nil {
                text.append(index)
                continue
            }
            put(code(text))
            if next < 4096 {
                codes[text + [index]] = next
                next += 1
                if next == 1 << width + 1, width < 12 { width += 1 }
            }
            text = [index]
        }
        put(code(text))
        put(17)
        var data = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
        for (index, bit) in bits.enumerated() where bit { data[index / 8] |= 1 << (index % 8) }
        var blocks: [UInt8] = [4]
        for start in stride(from: 0, to: data.count, by: 255) {
            let piece = data[start..<min(start + 255, data.count)]
            blocks += [UInt8(piece.count)] + piece
        }
        return blocks + [0]
    }

    func isRight(_ buffer: borrowing PixelBuffer) -> Bool {
        for y in 0..<height {
            for x in 0..<width {
                let index = Int(Self.index(x, y))
                let expected = index == transparent ? [0, 0, 0, 0] : Self.colors[index] + [255]
                if pixel(buffer, x + origin.0, y + origin.1) != expected { return false }
            }
        }
        return true
    }
}

@Suite("GIF")
struct GIFTests {
    static let kinds = [
        GIFSample(), GIFSample(width: 300, height: 220, screen: (300, 220)),
        GIFSample(isInterlaced: true), GIFSample(transparent: 3), GIFSample(hasLocalColors: true),
        GIFSample(width: 1, height: 1, screen: (1, 1)),
        GIFSample(width: 13, height: 7, screen: (13, 7), isInterlaced: true),
        GIFSample(screen: (30, 20), origin: (5, 4)), GIFSample(screen: (0, 0)),
    ]

    @Test("each kind of GIF is decoded pixel by pixel", arguments: kinds.indices)
    func everyKind(index: Int) throws {
        let sample = Self.kinds[index]
        let bytes = sample.bytes()
        let header = try readHeader(bytes)
        #expect(header.format == .gif && !header.isAnimated)
        let decoded = try decode(bytes)
        #expect(sample.isRight(decoded) == true)
        let covers = sample.transparent == nil && sample.screen.0 < 20
        #expect(decoded.isOpaque == (covers || sample.width == 300))
    }

    @Test("only the first of many GIF frames is decoded")
    func animation() throws {
        let sample = GIFSample()
        let bytes = sample.bytes(frames: 60_000)
        #expect(try readHeader(bytes).isAnimated)
        let decoded = try decode(bytes)
        #expect(sample.isRight(decoded) == true)
        #expect(Outcome(sample.bytes(frames: 3).dropLast(20)).error == nil)
    }

    @Test(
        "a first GIF frame that exceeds its screen enlarges it",
        arguments: [((6, 5), (2, 1)), ((40, 5), (2, 30)), ((3, 3), (50, 60)), ((9, 9), (0, 0))])
    func enlarged(screen: (Int, Int), origin: (Int, Int)) throws {
        let sample = GIFSample(screen: screen, origin: origin)
        let size = PixelSize(
            width: max(screen.0, origin.0 + sample.width),
            height: max(screen.1, origin.1 + sample.height))
        let header = try readHeader(sample.bytes())
        #expect(header.size == size)
        let cost = ImageDecoder.memoryCost(of: header, request: DecodeRequest())
        #expect(cost >= size.byteCount + sample.width * sample.height)
        let decoded = try decode(sample.bytes())
        #expect(decoded.size == size && sample.isRight(decoded) == true)
        let limits = DecodeLimits(pixels: size.area - 1)
        #expect(Outcome(sample.bytes(), DecodeRequest(limits: limits)).error == .limitPixels)
    }

    @Test("a GIF without a colour table is black except for the transparent index")
    func colourless() throws {
        var bytes = GIFSample(transparent: 3).bytes()
        bytes[10] = 0
        bytes.removeSubrange(13..<13 + 48)
        let decoded = try decode(bytes)
        #expect(decoded.size == PixelSize(width: 12, height: 10))
        for x in 0..<12 {
            let isClear = GIFSample.index(x, 4) == 3
            #expect(pixel(decoded, x, 4) == [0, 0, 0, isClear ? 0 : 255])
        }
    }

    @Test("GIF data that ends early is truncated")
    func truncated() {
        let sample = GIFSample(width: 80, height: 60, screen: (80, 60))
        let bytes = sample.bytes()
        for percent in 1...98 where bytes.count * percent / 100 >= 6 {
            let cut = Array(bytes.prefix(bytes.count * percent / 100))
            #expect(Outcome(cut).error == .truncated, "at \(percent) %")
        }
        #expect(Outcome(Array(bytes.dropLast())).error == nil)
    }

    @Test("a GIF with a declared size over the limit or broken codes is refused")
    func broken() throws {
        #expect(Outcome(GIFSample(screen: (65_535, 65_535)).bytes()).error == .limitPixels)
        var bytes = GIFSample().bytes()
        let frame = try #require(bytes.indices.last { bytes[$0] == 0x2C && bytes[$0 + 9] == 0 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [255, 255, 255, 255])
        #expect(Outcome(bytes).error == .limitPixels)
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0, 0, 1, 0])
        #expect(Outcome(bytes).error?.isCorrupt == true)
        var code = GIFSample().bytes()
        code[frame + 10] = 12
        #expect(Outcome(code).error?.isCorrupt == true)
        code[frame + 10] = 2
        #expect(Outcome(code).error?.isCorrupt == true)
        let empty = Array("GIF89a".utf8) + le16(4) + le16(4) + [0, 0, 0, 0x3B]
        #expect(Outcome(empty).error?.isCorrupt == true)
        let strange = Array("GIF89a".utf8) + le16(4) + le16(4) + [0, 0, 0, 0x77]
        #expect(Outcome(strange).error?.isCorrupt == true)
        #expect(Outcome(Array("GIF89a".utf8)).error == .truncated)
    }
}
