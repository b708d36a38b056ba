import CLibWebP
import Codecs
import Raster
import Support
import System
import Testing

/// Compares the loop filter level in a file with the effect in libwebp.
@Suite("WebP loop filtering")
struct WebPSmoothingTests {
    /// The libwebp settings for writing a file.
    struct Settings {
        var quality: Float = 60
        var strength: Int32 = 60
        var isThorough = true
    }

    /// Returns waves with some noise, which makes block borders visible.
    private static func picture(_ width: Int, _ height: Int) -> PixelBuffer {
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        var pixels = buffer.mutablePixels
        var dice = SeededRandom(seed: 9)
        for y in 0..<height {
            for x in 0..<width {
                let offset = (y * width + x) * 4
                for channel in 0..<3 {
                    let wave = (x * (channel + 1) + y * y / (40 + channel)) % 160
                    pixels[offset + channel] = UInt8(48 + abs(80 - wave) + Int(dice.below(24)))
                }
                pixels[offset + 3] = 255
            }
        }
        buffer.isOpaque = true
        return buffer
    }

    private static func file(
        _ picture: borrowing PixelBuffer, _ settings: Settings
    ) throws -> [UInt8] {
        var config = WebPConfig()
        try #require(unsafe WebPConfigInit(&config) != 0)
        config.quality = settings.quality
        config.filter_strength = settings.strength
        config.filter_type = settings.isThorough ? 1 : 0
        config.method = 2
        var target = unsafe WebPPicture()
        try #require(unsafe WebPPictureInit(&target) != 0)
        defer { unsafe WebPPictureFree(&target) }
        unsafe target.width = Int32(picture.width)
        unsafe target.height = Int32(picture.height)
        let stride = Int32(picture.bytesPerRow)
        let isTaken = unsafe picture.withUnsafePixels { pixels in
            unsafe WebPPictureImportRGBX(&target, pixels, stride)
        }
        try #require(isTaken != 0)
        var writer = unsafe WebPMemoryWriter()
        unsafe WebPMemoryWriterInit(&writer)
        defer { unsafe WebPMemoryWriterClear(&writer) }
        let isWritten = unsafe withUnsafeMutablePointer(to: &writer) { pointer in
            unsafe target.writer = WebPMemoryWrite
            unsafe target.custom_ptr = UnsafeMutableRawPointer(pointer)
            return unsafe WebPEncode(&config, &target)
        }
        try #require(isWritten != 0)
        guard let start = unsafe writer.mem else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: writer.size))
    }

    private static func level(_ file: [UInt8]) -> Int? {
        WebPSmoothing.level(in: file.span.extracting(12...))
    }

    @Test("the WebP filter level grows with the requested strength")
    func levels() throws {
        let picture = Self.picture(96, 96)
        for isThorough in [false, true] {
            let said = try ([0, 10, 30, 60, 100] as [Int32]).map { strength in
                let settings = Settings(strength: strength, isThorough: isThorough)
                return try #require(Self.level(try Self.file(picture, settings)))
            }
            #expect(said == said.sorted() && Set(said).count >= 4, "\(said)")
        }
        // Our encoder requests more smoothing for coarser quantizers.
        let coarse = try WebPEncoder.encode(picture, quality: .lossy(5))
        let fine = try WebPEncoder.encode(picture, quality: .lossy(95))
        #expect(try #require(Self.level(coarse)) > #require(Self.level(fine)))
    }

    @Test("a WebP decoded without its filter stays above 50 dB", arguments: [10, 30, 60, 90])
    func quality(quality: Int) throws {
        let file = try Self.file(Self.picture(1500, 900), Settings(quality: Float(quality)))
        let level = try #require(Self.level(file))
        // The largest size that needs no smoothing.
        let ratio = max(4, Double(level) / 1.5)
        let target = PixelSize(width: Int(1500 / ratio), height: Int(900 / ratio))
        let size = PixelSize(width: 1500, height: 900)
        #expect(!WebPSmoothing.isNeeded(level: level, from: size, to: target))
        let found = Resampler().resample(
            try decode(file, DecodeRequest(neededSize: target, defersOrientation: true)), to: target
        )
        let exact = LanczosReference.resample(try decode(file), to: target)
        let decibels = LanczosReference.decibels(found, exact)
        #expect(decibels > 50, "\(decibels) at level \(level)")
    }

    @Test("the filter level of a damaged or partial WebP is valid or unknown")
    func parts() throws {
        let whole = try Self.file(Self.picture(64, 64), Settings())
        for count in 12...60 {
            let level = Self.level(Array(whole.prefix(count)))
            #expect((0...63).contains(level ?? 0))
            if count < 32 { #expect(level == nil) }
        }
        var dice = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            var bytes = Array(whole.prefix(80))
            for index in 30..<80 { bytes[index] = UInt8(dice.below(256)) }
            #expect((0...63).contains(Self.level(bytes) ?? 0))
        }
        #expect(Self.level(Array("RIFF....WEBPVP8L".utf8) + whole) == nil)
    }
}
