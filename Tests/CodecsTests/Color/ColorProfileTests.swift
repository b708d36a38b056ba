import Codecs
import Raster
import Support
import System
import Testing

@Suite("Colour profiles")
struct ColorProfileTests {
    private static func profiles() throws -> [[UInt8]] {
        try [PictureFile.bytes("icc/wide.icc"), PictureFile.bytes("icc/grey.icc")]
    }

    @Test("the sRGB profile is recognised by its values")
    func standard() throws {
        let (sRGB, wide) = try (
            PictureFile.bytes("icc/srgb.icc"), PictureFile.bytes("icc/wide.icc")
        )
        let profile = ColorProfile(sRGB.span)
        let isNamed = profile?.isSRGB == true && profile?.name == "Plain"
        let isLeftAlone = profile?.transform() == nil
        let isOther = ColorProfile(wide.span)?.isSRGB == false
        let isTooLong = ColorProfile(wide.span, bytesLimit: 100) == nil
        #expect(isNamed && isLeftAlone && isOther && isTooLong)
    }

    @Test("a grey picture is converted by an RGB profile at every scale and with both codecs")
    func greyUnderRGB() throws {
        let bytes = try PictureFile.bytes("jpeg/profile-rgb-in-grey")
        let header = try readHeader(bytes)
        #expect(header.colorModel == .grey && header.profileName == "Gamma 1.8")
        for codecs in [CodecChoice.fast, .system] {
            for side in [128, 64, 32, 16] {
                let request = DecodeRequest(
                    neededSize: PixelSize(width: side / 2, height: side / 2), codecs: codecs)
                let decoded = try decode(bytes, request)
                // 0.502 to the power of 1.8 is 0.289 of the light, which sRGB encodes as 146.
                let found = pixel(decoded, decoded.width / 2, decoded.height / 2)
                #expect(found.prefix(3).allSatisfy { abs(Int($0) - 146) <= 1 }, "\(side)")
            }
        }
    }

    @Test("CICP numbers give a colour profile")
    func numbers() {
        #expect(ColorProfile(primaries: 1, transfer: 13) == nil)
        #expect(ColorProfile(primaries: 2, transfer: 2) == nil)
        #expect(ColorProfile(primaries: 9, transfer: 10) == nil)
        for transfer in [1, 4, 5, 8, 13] {
            let profile = ColorProfile(primaries: 12, transfer: transfer)
            #expect(profile?.model == .rgb && profile?.isSRGB == false)
        }
        var pixels: [UInt8] = [200, 80, 80, 128]
        if let transform = ColorProfile(primaries: 12, transfer: 13)?.transform() {
            var span = pixels.mutableSpan
            transform.convert(&span)
        }
        #expect(pixels[0] > 205 && pixels[1] < 80 && pixels[3] == 128)
    }

    @Test("a damaged profile is ignored, or converts colours and keeps alpha")
    func damage() throws {
        var dice = SeededRandom(seed: 63)
        var converted = 0
        let inks = try PictureFile.bytes("icc/inks.icc")
        for profile in try Self.profiles() + [inks] {
            for _ in 0..<200 {
                var bytes = profile
                for _ in 0..<3 {
                    bytes[dice.below(min(bytes.count, 400))] = UInt8(dice.below(256))
                }
                guard let found = ColorProfile(bytes.span) else { continue }
                var pixels: [UInt8] = [10, 20, 30, 40]
                if let transform = found.transform() {
                    var span = pixels.mutableSpan
                    transform.convert(&span)
                    converted += 1
                }
                // The fourth channel of CMYK is not alpha.
                #expect(pixels[3] == 40 || profile == inks)
            }
        }
        #expect(converted > 0)
    }

    @Test("a repeated colour is always converted to the same colour")
    func again() throws {
        var dice = SeededRandom(seed: 64)
        /// Flat fields, noise, a repeating set of few colours, and noise again.
        let pixels = (0..<60_000).flatMap { index -> [UInt8] in
            let kind = index / 7_000 % 4
            // Starts at white, so that the first field is white.
            let hue =
                kind == 0 ? 0xFF_FFFF - index / 500 : kind == 2 ? index % 97 : dice.below(1 << 24)
            return [UInt8(hue & 255), UInt8(hue >> 8 & 255), UInt8(hue >> 16), UInt8(index & 255)]
        }
        for profile in try Self.profiles() {
            guard let transform = ColorProfile(profile.span)?.transform() else {
                Issue.record("There is no transform.")
                continue
            }
            var together = pixels
            var span = together.mutableSpan
            transform.convert(&span)
            // Converts so few pixels at a time that the cache is not used.
            var apart: [UInt8] = []
            for start in stride(from: 0, to: pixels.count, by: 400) {
                var part = Array(pixels[start..<start + 400])
                var span = part.mutableSpan
                transform.convert(&span)
                apart += part
            }
            #expect(together == apart)
        }
    }
}
