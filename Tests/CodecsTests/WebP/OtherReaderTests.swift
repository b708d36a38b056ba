import CLibWebP
import Codecs
import Raster
import Support
import System
import Testing

/// Reads our lossy WebP with FFmpeg's VP8 decoder, which shares no code with libwebp. RFC 6386 is
/// exact, so the planes are equal.
@Suite("WebP output in another decoder")
struct OtherReaderTests {
    static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 16, height: 16),
        PixelSize(width: 17, height: 33), PixelSize(width: 96, height: 96),
        PixelSize(width: 131, height: 70), PixelSize(width: 300, height: 211),
        PixelSize(width: 2048, height: 18),
    ]

    /// Returns FFmpeg's output for a file, in its native pixel format.
    private func planes(byOther file: [UInt8], hasAlpha: Bool) throws -> [UInt8] {
        let folder = try ScratchFolder()
        try folder.write(file, to: "picture.webp")
        let run = try Tool.run(
            "/usr/bin/ffmpeg",
            [
                "-nostdin", "-v", "error", "-c:v", "webp", "-i", "picture.webp", "-f", "rawvideo",
                "-pix_fmt", hasAlpha ? "yuva420p" : "yuv420p", "planes",
            ], in: folder.path)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        return try folder.read("planes")
    }

    private func planes(byLibwebp file: [UInt8]) throws -> [UInt8] {
        var (width, height, stride, halfStride) = (Int32(0), Int32(0), Int32(0), Int32(0))
        var (u, v): (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) = (nil, nil)
        let y = try unsafe #require(
            WebPDecodeYUV(file, file.count, &width, &height, &u, &v, &stride, &halfStride))
        defer { unsafe WebPFree(y) }
        var planes: [UInt8] = []
        func append(_ start: UnsafeMutablePointer<UInt8>, _ stride: Int32, _ half: Int32) {
            for row in 0..<Int((height + half) / (1 + half)) {
                unsafe planes.append(
                    contentsOf: UnsafeBufferPointer(
                        start: start + row * Int(stride), count: Int((width + half) / (1 + half))))
            }
        }
        unsafe append(y, stride, 0)
        try unsafe append(#require(u), halfStride, 1)
        try unsafe append(#require(v), halfStride, 1)
        return planes
    }

    /// Waves, edges and a corner of noise, so that every mode and coefficient size occurs.
    private func picture(_ size: PixelSize, hasAlpha: Bool = false) -> PixelBuffer {
        var picture = Sample.waves(size.width, size.height, hasAlpha: hasAlpha)
        guard !hasAlpha else { return picture }
        var dice = SeededRandom(seed: 7)
        var pixels = picture.mutablePixels
        for y in size.height / 2..<size.height {
            for x in size.width / 2..<size.width {
                for channel in 0..<3 {
                    pixels[(y * size.width + x) * 4 + channel] = UInt8(dice.below(256))
                }
            }
        }
        return picture
    }

    @Test(
        "opaque WebP output has the same pixels in both decoders", arguments: sizes,
        [1, 25, 50, 82, 100])
    func opaque(size: PixelSize, quality: Int) throws {
        let file = try WebPEncoder.encode(picture(size), quality: .lossy(quality))
        #expect(try planes(byOther: file, hasAlpha: false) == planes(byLibwebp: file))
    }

    @Test(
        "WebP output with alpha has the same pixels in both decoders and exact alpha",
        arguments: sizes, [1, 50, 82, 100])
    func alpha(size: PixelSize, quality: Int) throws {
        let picture = picture(size, hasAlpha: true)
        let file = try WebPEncoder.encode(picture, quality: .lossy(quality))
        let found = try planes(byOther: file, hasAlpha: true)
        let colors = try planes(byLibwebp: file)
        try #require(found.count == colors.count + size.area)
        #expect(Array(found[..<colors.count]) == colors)
        let alphas = (0..<size.area).map { picture.pixels[$0 * 4 + 3] }
        #expect(Array(found[colors.count...]) == alphas)
    }
}
