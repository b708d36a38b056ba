import CLibWebP
import CWebPAlpha
import Codecs
import Raster
import Support
import System
import Testing

/// Our reader of alpha, held against libwebp's.
@Suite("Alpha of lossy WebP")
struct WebPAlphaTests {
    private static let sizes = [(1, 1), (1, 40), (40, 1), (7, 9), (64, 64), (131, 77)]

    /// A plane as libwebp packs it, in its file.
    private static func file(
        _ plane: [UInt8], _ width: Int, _ height: Int, _ settings: (inout WebPConfig) -> Void
    ) throws -> [UInt8] {
        var pixels = [UInt8](repeating: 77, count: plane.count * 4)
        for index in plane.indices { pixels[index * 4 + 3] = plane[index] }
        var config = WebPConfig()
        unsafe try #require(WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, 40) != 0)
        settings(&config)
        var picture = unsafe WebPPicture()
        unsafe try #require(WebPPictureInit(&picture) != 0)
        defer { unsafe WebPPictureFree(&picture) }
        unsafe picture.width = Int32(width)
        unsafe picture.height = Int32(height)
        unsafe try #require(WebPPictureImportRGBA(&picture, pixels, Int32(width * 4)) != 0)
        var writer = unsafe WebPMemoryWriter()
        unsafe WebPMemoryWriterInit(&writer)
        defer { unsafe WebPMemoryWriterClear(&writer) }
        let done = unsafe withUnsafeMutablePointer(to: &writer) { pointer in
            unsafe picture.writer = WebPMemoryWrite
            unsafe picture.custom_ptr = UnsafeMutableRawPointer(pointer)
            return unsafe WebPEncode(&config, &picture)
        }
        try #require(done != 0)
        return unsafe [UInt8](UnsafeBufferPointer(start: writer.mem, count: writer.size))
    }

    /// What the chunk of alpha holds, if there is one.
    private static func chunk(of file: [UInt8]) -> [UInt8]? {
        var offset = 12
        while offset + 8 <= file.count {
            let length = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
            let body = offset + 8..<offset + 8 + length
            if Array(file[offset..<offset + 4]) == Array("ALPH".utf8) { return Array(file[body]) }
            offset = body.upperBound + length & 1
        }
        return nil
    }

    /// A file with this chunk before an ordinary picture.
    private static func file(_ chunk: [UInt8], _ width: Int, _ height: Int) throws -> [UInt8] {
        let grey = PixelBuffer(size: PixelSize(width: width, height: height))
        let picture = try WebPReconstruction(of: grey, quantizer: 60).file
        return WebPSample.file(
            WebPSample.canvas(width, height, flags: 0x10) + WebPSample.chunk("ALPH", chunk)
                + WebPSample.inside(picture))
    }

    private static func own(_ chunk: [UInt8], _ width: Int, _ height: Int) -> [UInt8]? {
        var plane = [UInt8](repeating: 0xEE, count: width * height)
        let isRead = unsafe emb_alpha_unpack(
            chunk, chunk.count, Int32(width), Int32(height), &plane)
        return isRead != 0 ? plane : nil
    }

    /// Alpha by libwebp, or nil where it refuses the file.
    private static func theirs(_ file: [UInt8]) -> [UInt8]? {
        var (width, height): (Int32, Int32) = (0, 0)
        guard let pixels = unsafe WebPDecodeRGBA(file, file.count, &width, &height) else {
            return nil
        }
        defer { unsafe WebPFree(pixels) }
        return (0..<Int(width * height)).map { unsafe pixels[$0 * 4 + 3] }
    }

    private static func planes(_ width: Int, _ height: Int) -> [(String, [UInt8])] {
        func plane(_ value: (Int, Int) -> Int) -> [UInt8] {
            (0..<width * height).map { UInt8(truncatingIfNeeded: value($0 % width, $0 / width)) }
        }
        var random = SeededRandom(seed: 11)
        let (right, bottom) = (max(1, width - 1), max(1, height - 1))
        return [
            ("nothing", plane { _, _ in 0 }),
            ("one value", plane { _, _ in 130 }),
            ("two values", plane { x, y in (x / 5 + y / 3) % 2 * 255 }),
            ("three values", plane { x, y in (x / 5 + y / 3) % 3 * 100 }),
            ("ten values", plane { x, y in (x * 7 + y * 13) % 10 * 20 }),
            ("a ramp", plane { x, _ in x * 255 / right }),
            ("both ways", plane { x, y in x * 127 / right + y * 127 / bottom }),
            ("waves", plane { x, y in x * x / 3 ^ y * y / 5 }),
            ("noise", (0..<width * height).map { _ in UInt8(random.next() & 255) }),
            (
                "a disc",
                plane { x, y in
                    let (dx, dy) = (x * 2 - width, y * 2 - height)
                    return max(0, min(255, 128 + width * height / 4 - dx * dx - dy * dy))
                }
            ),
        ]
    }

    @Test(
        "whatever libwebp packs is read by us, and alike", arguments: sizes,
        [0, 1, 2] as [Int32])
    func written(size: (Int, Int), filtering: Int32) throws {
        for (name, plane) in Self.planes(size.0, size.1) {
            for method in [0, 3, 6] as [Int32] {
                for quality in [100, 40] as [Int32] {
                    for compression in [1, 0] as [Int32] {
                        let file = try Self.file(plane, size.0, size.1) { config in
                            config.alpha_filtering = filtering
                            config.alpha_quality = quality
                            config.alpha_compression = compression
                            config.method = method
                        }
                        guard let chunk = Self.chunk(of: file) else { continue }
                        let found = Self.own(chunk, size.0, size.1)
                        let same = found == Self.theirs(file)
                        #expect(
                            found != nil && same,
                            "\(name), method \(method), quality \(quality), \(compression)")
                        if quality == 100 { #expect(found == plane, "\(name) came back changed") }
                    }
                }
            }
        }
    }

    /// Noise, as it stands in a stream.
    private static func noise(_ count: Int, below limit: UInt64 = 256) -> [UInt8] {
        var random = SeededRandom(seed: 5)
        return (0..<count).map { _ in UInt8(random.next() % limit) }
    }

    /// What we and libwebp make of a stream.
    private static func read(
        _ stream: AlphaStream, filter: UInt8 = 0, _ width: Int, _ height: Int
    ) throws -> (own: [UInt8]?, theirs: [UInt8]?) {
        let chunk = [1 | filter << 2] + stream.ended
        return (own(chunk, width, height), theirs(try file(chunk, width, height)))
    }

    @Test("each way to predict a pixel", arguments: 0..<16)
    func modes(mode: Int) throws {
        for (width, height) in [(1, 5), (2, 7), (9, 9), (33, 14)] {
            var stream = AlphaStream()
            // Squares of four pixels, all of this mode.
            stream.put(0b001, bits: 3)
            stream.put(0b0000, bits: 4)
            for symbol in [mode, 0, 0, 0, 0] { stream.putOnly(symbol) }
            stream.put(0b000, bits: 3)
            stream.putPicture(of: Self.noise(width * height))
            let planes = try Self.read(stream, width, height)
            #expect(planes.own != nil && planes.own == planes.theirs, "\(width) by \(height)")
        }
    }

    @Test(
        "palettes of every depth, with indices beyond them, under every filter",
        arguments: [1, 2, 3, 4, 5, 16, 17, 256])
    func palettes(count: Int) throws {
        let bits = count <= 2 ? 3 : count <= 4 ? 2 : count <= 16 ? 1 : 0
        for (width, height) in [(1, 3), (8, 8), (37, 11)] {
            var stream = AlphaStream()
            stream.put(0b111, bits: 3)
            stream.put(count - 1, bits: 8)
            stream.put(0, bits: 1)
            // As old writers have it: of what follows the first colour the differences are said.
            stream.putPicture(of: Self.noise(count, below: 9), firstOpacity: 255, opacity: 0)
            stream.put(0b000, bits: 3)
            stream.putPicture(of: Self.noise((width + 1 << bits - 1) >> bits * height))
            for filter in 0..<4 as Range<UInt8> {
                let planes = try Self.read(stream, filter: filter, width, height)
                #expect(planes.own != nil && planes.own == planes.theirs, "filter \(filter)")
            }
        }
    }

    @Test("copies from every place near and some far, with a cache and without", arguments: 0...11)
    func copies(cacheBits: Int) throws {
        let (width, height) = (19, 60)
        let cached = cacheBits > 0 ? 1 << cacheBits : 0
        let shorter = cached > 0 ? 1 : 0
        let greens = AlphaStream.Code(
            lengths: [Int](repeating: 8, count: 128) + [Int](repeating: 0, count: 128)
                + [Int](repeating: 5 + shorter, count: 8)
                + [Int](repeating: 6 + shorter, count: 16)
                + [Int](repeating: cacheBits + 2, count: cached))
        let distances = AlphaStream.Code(
            lengths: [Int](repeating: 5, count: 24) + [Int](repeating: 6, count: 16))
        var random = SeededRandom(seed: UInt64(cacheBits))
        for place in 1...140 {
            var stream = AlphaStream()
            stream.put(0, bits: 1)
            stream.put(cached > 0 ? 1 | cacheBits << 1 : 0, bits: cached > 0 ? 5 : 1)
            stream.put(0, bits: 1)
            stream.put(greens)
            for _ in 0..<2 { stream.putOnly(0) }
            // A cache tells colours apart by their opacity, too.
            stream.putPair(0, 255)
            stream.put(distances)
            var position = 0
            while position < width * height {
                let kind = random.next() % 4
                if position < 8 * width || kind == 0 {
                    stream.put(Int(random.next() % 128), in: greens)
                    stream.put(Int(random.next() % 2), bits: 1)
                    position += 1
                } else if kind == 1, cached > 0 {
                    stream.put(280 + Int(random.next() % UInt64(cached)), in: greens)
                    position += 1
                } else {
                    let length = min(1 + Int(random.next() % 90), width * height - position)
                    stream.put(number: length, offset: 256, in: greens)
                    stream.put(number: place, offset: 0, in: distances)
                    position += length
                }
            }
            let planes = try Self.read(stream, width, height)
            #expect(planes.own != nil && planes.own == planes.theirs, "place \(place)")
        }
    }

    @Test("what alpha has no use for is left to libwebp, which shows it")
    func leftAlone() throws {
        let (width, height) = (24, 20)
        let greens = Self.noise(width * height)
        var red = AlphaStream()
        red.put(0b000, bits: 3)
        red.putPicture(of: greens, red: 3)
        var withoutGreen = AlphaStream()
        withoutGreen.put(0b101, bits: 3)
        withoutGreen.put(0b000, bits: 3)
        withoutGreen.putPicture(of: greens)
        // Opacity that is predicted changes from pixel to pixel where something is added.
        var opacities = AlphaStream()
        opacities.put(0b001, bits: 3)
        opacities.put(0b0000, bits: 4)
        for symbol in [11, 0, 0, 0, 0] { opacities.putOnly(symbol) }
        opacities.put(0b000, bits: 3)
        opacities.putPicture(of: greens, opacity: 9)
        for (name, stream) in [
            ("red", red), ("without green", withoutGreen), ("opacities", opacities),
        ] {
            let planes = try Self.read(stream, width, height)
            #expect(planes.own == nil, "\(name)")
            #expect(planes.theirs != nil, "\(name)")
        }
    }

    @Test("of damaged alpha streams no more is taken than by libwebp", arguments: sizes)
    func damaged(size: (Int, Int)) throws {
        let (width, height) = size
        for (name, plane) in Self.planes(width, height) {
            let whole = try Self.file(plane, width, height) { $0.alpha_filtering = 2 }
            guard let chunk = Self.chunk(of: whole) else { continue }
            var damaged = (0..<min(chunk.count, 60)).map {
                Array(chunk.prefix(chunk.count * $0 / 60))
            }
            for index in chunk.indices.prefix(400) {
                for bit in [0, 3, 6] {
                    damaged.append(chunk)
                    damaged[damaged.count - 1][index] ^= 1 << bit
                }
            }
            for chunk in damaged {
                guard let found = Self.own(chunk, width, height) else { continue }
                let theirs = Self.theirs(try Self.file(chunk, width, height))
                #expect(found == theirs, "\(name)")
            }
        }
    }
}
