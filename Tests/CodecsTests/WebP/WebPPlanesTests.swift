import Codecs
import Raster
import Testing

/// Compares reduced decoding of lossy images with full decodes and with libwebp's scaling.
@Suite("WebP decoded by planes")
struct WebPPlanesTests {
    /// Returns a logo: discs with hard edges in strong colours, on a transparent or white
    /// background.
    private static func logo(_ width: Int, _ height: Int, hasAlpha: Bool) -> PixelBuffer {
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        var pixels = buffer.mutablePixels
        let colors = [(214, 31, 38), (0, 82, 155), (255, 196, 0)]
        for y in 0..<height {
            for x in 0..<width {
                let offset = (y * width + x) * 4
                var (color, alpha) = ((255, 255, 255), hasAlpha ? 0 : 255)
                for (index, candidate) in colors.enumerated() {
                    let (dx, dy) = (x - width * (index + 1) / 4, y - height * (3 - index) / 4)
                    if dx * dx + dy * dy < width * height / 25 { (color, alpha) = (candidate, 255) }
                }
                pixels[offset] = UInt8(color.0)
                pixels[offset + 1] = UInt8(color.1)
                pixels[offset + 2] = UInt8(color.2)
                pixels[offset + 3] = UInt8(alpha)
            }
        }
        buffer.isOpaque = !hasAlpha
        buffer.premultiply()
        return buffer
    }

    /// Decodes for a size and scales to it.
    private static func small(
        _ bytes: [UInt8], to target: PixelSize, _ codecs: CodecChoice = .fast,
        isWhole: Bool = false
    ) throws -> PixelBuffer {
        let request = DecodeRequest(
            neededSize: isWhole ? nil : target, defersOrientation: true, codecs: codecs)
        return Resampler().resample(try decode(bytes, request), to: target)
    }

    @Test(
        "logos in reduced WebP keep 48 dB compared with an exact reduction",
        arguments: [false, true])
    func quality(hasAlpha: Bool) throws {
        for (width, height) in [(640, 640), (901, 677)] {
            let picture = Self.logo(width, height, hasAlpha: hasAlpha)
            let bytes = try WebPEncoder.encode(picture, quality: .lossy(80))
            for edge in [24, 40, 64] {
                let target = PixelSize(width: edge, height: edge * height / width)
                let found = try Self.small(bytes, to: target)
                let reference = LanczosReference.resample(try decode(bytes), to: target)
                let ratio = LanczosReference.decibels(found, reference)
                #expect(ratio > 48, "\(width) by \(height) to \(edge): \(ratio)")
            }
        }
    }

    @Test("a WebP is halved once by planes, and not reduced by libwebp alone")
    func sizes() throws {
        let bytes = try WebPEncoder.encode(
            Self.logo(601, 401, hasAlpha: false), quality: .lossy(80))
        let needed = PixelSize(width: 30, height: 20)
        let size = try decode(bytes, DecodeRequest(neededSize: needed)).size
        #expect(size == PixelSize(width: 301, height: 201))
        let other = try decode(bytes, DecodeRequest(neededSize: needed, codecs: .system)).size
        #expect(other == PixelSize(width: 601, height: 401))
    }

    @Test("fine stripes of a reduced lossless WebP stay even, as in PNG")
    func stripes() throws {
        for (width, height, bar) in [(1500, 1000, 5), (1200, 801, 4), (1024, 1024, 5)] {
            var picture = PixelBuffer(size: PixelSize(width: width, height: height))
            picture.isOpaque = true
            var pixels = picture.mutablePixels
            for index in 0..<(width * height) {
                let value = UInt8((index % width + 1) / bar % 2 * 255)
                for (channel, sample) in [value, 255 - value, 128, 255].enumerated() {
                    pixels[index * 4 + channel] = sample
                }
            }
            let bytes = try WebPEncoder.encode(picture, quality: .lossless)
            for edge in [40, 64, 80] {
                let target = PixelSize(width: edge, height: max(1, edge * height / width))
                let found = try Self.small(bytes, to: target)
                let reference = LanczosReference.resample(picture, to: target)
                let ratio = LanczosReference.decibels(found, reference)
                #expect(ratio > 48, "\(width) by \(height), \(bar), to \(edge): \(ratio)")
            }
        }
    }

    @Test(
        "a damaged WebP has one verdict at every size and with both codecs",
        arguments: [false, true])
    func verdicts(hasAlpha: Bool) throws {
        let whole = try WebPEncoder.encode(
            Self.logo(320, 240, hasAlpha: hasAlpha), quality: .lossy(80))
        var damaged = (1...12).map { Array(whole.prefix(whole.count * $0 / 13)) }
        for offset in stride(from: 30, to: whole.count, by: max(1, whole.count / 150)) {
            var bytes = whole
            bytes[offset] ^= 0x55
            damaged.append(bytes)
        }
        for bytes in damaged {
            var verdicts: Set<String> = []
            for needed in [nil, PixelSize(width: 20, height: 15), PixelSize(width: 2, height: 2)] {
                for codecs in [CodecChoice.fast, .system] {
                    let outcome = Outcome(bytes, DecodeRequest(neededSize: needed, codecs: codecs))
                    verdicts.insert(outcome.error.map { "\($0)" } ?? "ok")
                }
            }
            #expect(verdicts.count == 1, "\(verdicts.sorted())")
        }
    }

    @Test("a reduced WebP with a profile or an orientation looks like the whole one")
    func reduced() throws {
        let files = PictureFile.files(in: "reduce")
        #expect(files.count == 12)
        for file in files {
            let size = try readHeader(file.bytes).size
            for part in [12, 30] {
                let target = PixelSize(width: size.width / part, height: size.height / part)
                let whole = try Self.small(file.bytes, to: target, isWhole: true)
                for defersOrientation in [false, true] {
                    let request = DecodeRequest(
                        neededSize: target, defersOrientation: defersOrientation)
                    let found = Resampler().resample(try decode(file.bytes, request), to: target)
                    let error = distance(found, whole)
                    #expect(error < 2, "\(file.name), \(part), \(defersOrientation): \(error)")
                }
            }
        }
    }
}
