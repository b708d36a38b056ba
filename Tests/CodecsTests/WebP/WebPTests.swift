import Codecs
import Raster
import Testing

enum WebPSample {
    static func plain(_ buffer: borrowing PixelBuffer, lossless: Bool = true) -> [UInt8] {
        do throws(EncodeError) {
            return try WebPEncoder.encode(buffer, quality: lossless ? .lossless : .lossy(90))
        } catch {
            return []
        }
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
}
