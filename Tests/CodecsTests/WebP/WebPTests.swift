import Codecs
import Raster
import Testing

/// Generated WebP containers around the chunks of our own encoder.
enum WebPSample {
    static func plain(_ buffer: borrowing PixelBuffer, lossless: Bool = true) -> [UInt8] {
        do throws(EncodeError) {
            return try WebPEncoder.encode(buffer, quality: lossless ? .lossless : .lossy(90))
        } catch {
            return []
        }
    }

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + le32(body.count) + body + (body.count & 1 == 1 ? [0] : [])
    }

    static func file(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + le32(chunks.count + 4) + Array("WEBP".utf8) + chunks
    }

    static func canvas(_ width: Int, _ height: Int, flags: UInt8) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + le24(width - 1) + le24(height - 1))
    }

    /// Returns the chunks of the image, without the container.
    static func inside(_ file: [UInt8]) -> [UInt8] {
        let isExtended = Array(file[12..<16]) == Array("VP8X".utf8)
        return Array(file[(isExtended ? 30 : 12)...])
    }

    static func frame(_ picture: [UInt8], x: Int, y: Int, _ width: Int, _ height: Int) -> [UInt8] {
        chunk(
            "ANMF",
            le24(x / 2) + le24(y / 2) + le24(width - 1) + le24(height - 1) + le24(100) + [0]
                + inside(picture))
    }
}

@Suite("WebP")
struct WebPTests {
    @Test("a lossless WebP restores every visible pixel", arguments: [false, true])
    func lossless(hasAlpha: Bool) throws {
        let picture = Sample.waves(61, 47, hasAlpha: hasAlpha)
        let bytes = WebPSample.plain(picture)
        let header = try readHeader(bytes)
        #expect(header.size == PixelSize(width: 61, height: 47) && header.hasAlpha == hasAlpha)
        let decoded = try decode(bytes)
        let (error, isOpaque) = (distance(decoded, picture), decoded.isOpaque)
        #expect(error < (hasAlpha ? 0.6 : 1e-9))
        #expect(isOpaque != hasAlpha)
    }

    @Test("a lossy WebP keeps its alpha exactly", arguments: [false, true])
    func lossy(hasAlpha: Bool) throws {
        let picture = Sample.waves(61, 47, hasAlpha: hasAlpha)
        let bytes = WebPSample.plain(picture, lossless: false)
        let decoded = try decode(bytes)
        let error = distance(decoded, picture)
        #expect(error < 4)
        for x in stride(from: 0, to: 61, by: 6) {
            #expect(pixel(decoded, x, 20)[3] == pixel(picture, x, 20)[3])
        }
    }

    @Test("a WebP with shared alpha has the same bytes as one encoded alone")
    func sharedAlpha() throws {
        /// Returns an image whose colours and alpha come from two seeds.
        func picture(_ colors: Int, alpha: Int) -> PixelBuffer {
            var result = PixelBuffer(size: PixelSize(width: 53, height: 41))
            var pixels = result.mutablePixels
            for index in 0..<(53 * 41) {
                let share = min(255, index % 53 * (5 + alpha))
                for channel in 0..<3 {
                    let color = (index * (3 + channel) + colors * 71) & 255
                    pixels[index * 4 + channel] = UInt8(color * share / 255)
                }
                pixels[index * 4 + 3] = UInt8(share)
            }
            return result
        }
        let first = WebPSample.plain(picture(1, alpha: 0), lossless: false)
        let shared = WebPSample.plain(picture(2, alpha: 0), lossless: false)
        #expect(first != shared)
        // More planes than the cache holds, so that the next one is compressed again.
        for alpha in 1...40 { _ = WebPSample.plain(picture(1, alpha: alpha), lossless: false) }
        #expect(WebPSample.plain(picture(2, alpha: 0), lossless: false) == shared)
        let decoded = try decode(shared)
        for x in 0..<53 { #expect(pixel(decoded, x, 7)[3] == UInt8(min(255, x * 5))) }
    }

    @Test("a higher WebP quality makes a larger file that is closer to the original")
    func qualities() throws {
        let picture = Sample.waves(150, 90, hasAlpha: false)
        var (size, error) = (0, Double.infinity)
        for quality in [1, 20, 50, 75, 82, 90, 100] {
            let bytes = try WebPEncoder.encode(picture, quality: .lossy(quality))
            let distance = distance(try decode(bytes), picture)
            #expect(bytes.count > size && distance < error, "\(quality)")
            (size, error) = (bytes.count, distance)
        }
    }

    /// Returns white noise, the worst case for any encoder.
    private func noise(_ width: Int, _ height: Int) -> PixelBuffer {
        var picture = PixelBuffer(size: PixelSize(width: width, height: height))
        var state: UInt32 = 20_261_121
        var pixels = picture.mutablePixels
        for index in 0..<pixels.count {
            state = state &* 1_664_525 &+ 1_013_904_223
            pixels[index] = index % 4 == 3 ? 255 : UInt8(state >> 24)
        }
        picture.isOpaque = true
        return picture
    }

    @Test("WebP encodes noise at the finest quality and overlong pictures")
    func noise() throws {
        let bytes = try WebPEncoder.encode(noise(131, 70), quality: .lossy(100))
        #expect(try readHeader(bytes).size == PixelSize(width: 131, height: 70))
        _ = try decode(bytes)
        let long = try WebPEncoder.encode(noise(2100, 3), quality: .lossy(50))
        _ = try decode(long)
        #expect(try readHeader(long).size == PixelSize(width: 2100, height: 3))
    }

    private func colorBytes(_ file: [UInt8]) -> Int {
        var offset = 12
        while offset + 8 <= file.count {
            let length = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
            if Array(file[offset..<offset + 4]) == Array("VP8 ".utf8) { return length }
            offset += 8 + length + length % 2
        }
        return 0
    }

    @Test("round corners on one colour add no colour data to a WebP")
    func corners() throws {
        let color = Color(red: 231, green: 233, blue: 252)
        var whole = PixelBuffer(size: PixelSize(width: 96, height: 96))
        whole.fill(color)
        var rounded = whole.copy()
        (whole.isOpaque, rounded.isOpaque) = (true, false)
        var pixels = rounded.mutablePixels
        for y in 0..<96 {
            for x in 0..<96 {
                // A mask of every strength at the corners; not a circle, but sufficient.
                let beyond = max(0, 30 - min(x, 95 - x)) + max(0, 30 - min(y, 95 - y))
                let alpha = 255 - min(255, max(0, beyond - 24) * 17)
                for channel in 0..<4 {
                    let offset = (y * 96 + x) * 4 + channel
                    pixels[offset] = UInt8((Int(pixels[offset]) * alpha + 127) / 255)
                }
            }
        }
        let with = try WebPEncoder.encode(rounded, quality: .lossy(82))
        let without = try WebPEncoder.encode(whole, quality: .lossy(82))
        #expect(colorBytes(with) == colorBytes(without))
        let error = distance(try decode(with), rounded)
        #expect(error < 1.5)
    }

    @Test("mirrored alpha is exact in a WebP for any values", arguments: 0..<20)
    func mirroredAlpha(seed: Int) throws {
        var state = UInt32(truncatingIfNeeded: seed &* 2_654_435_761 &+ 1)
        func roll(_ sides: Int) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 8) % sides
        }
        let size = PixelSize(width: 1 + roll(90), height: 2 + roll(90))
        // Few values or many, in short runs or long ones.
        let (values, change) = ([1, 2, 3, 9, 256][seed % 5], [1, 2, 7, 40][seed / 5 % 4])
        var picture = PixelBuffer(size: size)
        var pixels = picture.mutablePixels
        var value = 255
        for y in 0..<(size.height + 1) / 2 {
            for x in 0..<size.width {
                if roll(change) == 0 { value = values == 256 ? roll(256) : roll(values) * 28 }
                for row in [y, size.height - 1 - y] {
                    pixels[(row * size.width + x) * 4 + 3] = UInt8(value)
                }
            }
        }
        let decoded = try decode(WebPEncoder.encode(picture, quality: .lossy(50)))
        let (found, wanted) = (decoded.pixels, picture.pixels)
        var wrong = 0
        for index in 0..<size.area where found[index * 4 + 3] != wanted[index * 4 + 3] {
            wrong += 1
        }
        #expect(wrong == 0, "\(size)")
    }

    @Test("a WebP that is faint or fully transparent is encoded")
    func faint() throws {
        var picture = PixelBuffer(size: PixelSize(width: 20, height: 20))
        let empty = try decode(WebPEncoder.encode(picture, quality: .lossy(82)))
        #expect(pixel(empty, 10, 10) == [0, 0, 0, 0])
        picture.fill(Color(red: 200, green: 40, blue: 40, alpha: 90))
        let decoded = try decode(WebPEncoder.encode(picture, quality: .lossy(82)))
        let error = distance(decoded, picture)
        #expect(error < 2)
        #expect(pixel(decoded, 3, 3)[3] == 90)
    }

    @Test("a WebP of each of the eight orientations is decoded upright", arguments: 1...8)
    func orientations(value: Int) throws {
        let picture = Sample.turned(value)
        let bytes = WebPSample.file(
            WebPSample.canvas(picture.width, picture.height, flags: 0x08)
                + WebPSample.inside(WebPSample.plain(picture))
                + WebPSample.chunk("EXIF", tiff(orientation: value)))
        #expect(try readHeader(bytes).orientation.rawValue == value)
        let decoded = try decode(bytes)
        let isUpright = Sample.isUpright(decoded)
        #expect(isUpright)
    }

    @Test("the embedded profile of a WebP is applied")
    func profile() throws {
        var picture = PixelBuffer(size: PixelSize(width: 8, height: 8))
        picture.fill(Color(red: 180, green: 70, blue: 60))
        picture.isOpaque = true
        let bytes = WebPSample.file(
            WebPSample.canvas(8, 8, flags: 0x20)
                + WebPSample.chunk("ICCP", ProfileSample.adobe)
                + WebPSample.inside(WebPSample.plain(picture)))
        #expect(try readHeader(bytes).profileName == "Wide")
        let found = pixel(try decode(bytes), 4, 4)
        #expect(found[0] > 195 && found[1] < 70)
    }

    @Test("the first frame of an animated WebP is placed on its canvas")
    func animation() throws {
        let frame = WebPSample.plain(Sample.turned(1))
        let other = WebPSample.plain(Sample.waves(60, 40))
        let bytes = WebPSample.file(
            WebPSample.canvas(60, 40, flags: 0x12) + WebPSample.chunk("ANIM", le32(0) + le16(0))
                + WebPSample.frame(frame, x: 8, y: 6, 48, 32)
                + WebPSample.frame(other, x: 0, y: 0, 60, 40))
        let header = try readHeader(bytes)
        #expect(header.isAnimated && header.size == PixelSize(width: 60, height: 40))
        let decoded = try decode(bytes)
        #expect(pixel(decoded, 2, 2) == [0, 0, 0, 0])
        #expect(pixel(decoded, 9, 7) == [230, 20, 20, 255])
        #expect(pixel(decoded, 55, 37) == [240, 240, 240, 255])
        #expect(pixel(decoded, 58, 39) == [0, 0, 0, 0])
        let outside = WebPSample.file(
            WebPSample.canvas(50, 40, flags: 0x02) + WebPSample.frame(frame, x: 8, y: 6, 48, 32))
        #expect(Outcome(outside).error?.isCorrupt == true)
    }

    @Test("WebP data that ends early is truncated", arguments: [false, true])
    func truncated(lossless: Bool) {
        let picture = Sample.waves(120, 90, hasAlpha: !lossless)
        let bytes = WebPSample.plain(picture, lossless: lossless)
        for percent in 1...99 where bytes.count * percent / 100 >= 4 {
            let cut = Array(bytes.prefix(bytes.count * percent / 100))
            #expect(Outcome(cut).error == .truncated, "at \(percent) %")
        }
    }

    @Test("a WebP with a declared size over the limit is refused without cost")
    func limits() {
        let lossless = WebPSample.chunk("VP8L", [0x2F] + le32(11_999 | 11_999 << 14) + [0])
        #expect(Outcome(WebPSample.file(lossless)).error == .limitPixels)
        let key = WebPSample.chunk(
            "VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + le16(12_000) + le16(12_000))
        #expect(Outcome(WebPSample.file(key)).error == .limitPixels)
        let canvas = WebPSample.canvas(16_777_216, 256, flags: 0x02)
        #expect(Outcome(WebPSample.file(canvas)).error == .limitPixels)
        #expect(
            Outcome(WebPSample.file(WebPSample.canvas(16_384, 16_384, flags: 0x02))).error
                == .limitPixels)
    }

    @Test("a WebP that claims four gigabytes is corrupt, and trailing bytes are ignored")
    func sizes() {
        var bytes = WebPSample.plain(Sample.waves(20, 20))
        let whole = Outcome(bytes)
        #expect(Outcome(bytes + [UInt8](repeating: 9, count: 1000)) == whole)
        bytes.replaceSubrange(4..<8, with: [255, 255, 255, 255])
        #expect(Outcome(bytes).error?.isCorrupt == true)
    }

    @Test("WebP chunks that do not fit together are corrupt")
    func misfits() {
        let picture = WebPSample.inside(WebPSample.plain(Sample.waves(20, 20)))
        let wrong = WebPSample.file(WebPSample.canvas(30, 20, flags: 0) + picture)
        #expect(Outcome(wrong).error?.isCorrupt == true)
        let bare = WebPSample.file(WebPSample.chunk("ANMF", [UInt8](repeating: 0, count: 30)))
        #expect(Outcome(bare).error?.isCorrupt == true)
        let broken = WebPSample.chunk("VP8L", [0x2E] + le32(1) + [0])
        #expect(Outcome(WebPSample.file(broken)).error?.isCorrupt == true)
        let noKey = WebPSample.chunk("VP8 ", [UInt8](repeating: 1, count: 12))
        #expect(Outcome(WebPSample.file(noKey)).error?.isCorrupt == true)
        #expect(Outcome(WebPSample.file(WebPSample.canvas(20, 20, flags: 0))).error == .truncated)
    }
}
