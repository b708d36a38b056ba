import CShims
import Codecs
import Raster
import Support
import System
import Testing

@Suite("Colour profiles")
struct ColorProfileTests {
    private static func flat(_ color: [UInt8]) -> [UInt8] {
        [[UInt8]](repeating: color, count: 256).flatMap { $0 }
    }

    private static func jpeg(
        _ profile: [UInt8], _ color: [UInt8] = [180, 70, 60, 255], parts: Int = 1
    ) throws -> (header: ImageHeader, pixel: [UInt8]) {
        let bytes = JPEGSample(
            quality: 100, segments: JPEGSample.profile(profile, parts: parts)
        ).bytes(flat(color), 16, 16)
        return (try readHeader(bytes), pixel(try decode(bytes), 8, 8))
    }

    @Test("a wide-gamut profile makes colours more saturated, in one segment or in three")
    func wide() throws {
        let (header, found) = try Self.jpeg(ProfileSample.adobe)
        #expect(header.hasProfile && header.profileName == "Wide")
        #expect(found[0] > 195 && found[1] < 70 && found[3] == 255)
        #expect(try Self.jpeg(ProfileSample.adobe, parts: 3).pixel == found)
    }

    @Test("the sRGB profile is recognised by its values and changes nothing")
    func standard() throws {
        let (sRGB, adobe) = (ProfileSample.sRGB, ProfileSample.adobe)
        let profile = ColorProfile(sRGB.span)
        let isNamed = profile?.isSRGB == true && profile?.name == "Plain"
        let isLeftAlone = profile?.transform() == nil
        let isOther = ColorProfile(adobe.span)?.isSRGB == false
        #expect(isNamed && isLeftAlone && isOther)
        let found = try Self.jpeg(ProfileSample.sRGB).pixel
        #expect(abs(Int(found[0]) - 180) < 3 && abs(Int(found[1]) - 70) < 3)
    }

    @Test(
        "profiles that are broken, incomplete, too long or for other colour models are ignored")
    func ignored() throws {
        let plain = try Self.jpeg([]).pixel
        var broken = ProfileSample.adobe
        broken.replaceSubrange(36..<40, with: [0, 0, 0, 0])
        for profile in [
            broken, Array(ProfileSample.adobe.prefix(100)), ProfileSample.grey, ProfileSample.inks,
        ] {
            let (header, found) = try Self.jpeg(profile)
            #expect(!header.hasProfile && found == plain)
        }
        let missing = Array(JPEGSample.profile(ProfileSample.adobe, parts: 3).prefix(150))
        let bytes = JPEGSample(quality: 100, segments: missing)
            .bytes(Self.flat([180, 70, 60, 255]), 16, 16)
        #expect(try readHeader(bytes).hasProfile == false)
        let small = DecodeLimits(profileBytes: 200)
        let whole = JPEGSample(segments: JPEGSample.profile(ProfileSample.adobe))
            .bytes(Self.flat([180, 70, 60, 255]), 16, 16)
        #expect(try readHeader(whole, limits: small).hasProfile == false)
        let adobe = ProfileSample.adobe
        let isTooLong = ColorProfile(adobe.span, bytesLimit: 100) == nil
        #expect(isTooLong)
    }

    @Test("a grey picture is converted by its grey profile")
    func grey() throws {
        let values = [UInt8](repeating: 100, count: 256)
        let segments = JPEGSample.profile(ProfileSample.grey)
        let bytes = JPEGSample(colour: EMB_JPEG_GREY, quality: 100, segments: segments)
            .bytes(values, 16, 16)
        let found = pixel(try decode(bytes), 8, 8)
        #expect(found[0] > 150 && abs(Int(found[0]) - Int(found[1])) < 3 && found[3] == 255)
    }

    @Test("a grey picture is converted by an RGB profile at every scale and with both codecs")
    func greyUnderRGB() throws {
        let profile = ProfileSample.matrix(
            [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141],
            name: "Gamma 1.8",
            curve: Array("curv".utf8) + be32(0) + be32(1) + be16(0x01CD) + be16(0))
        let bytes = JPEGSample(
            colour: EMB_JPEG_GREY, quality: 100, segments: JPEGSample.profile(profile)
        ).bytes([UInt8](repeating: 128, count: 128 * 128), 128, 128)
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

    @Test("CMYK inks are converted by their profile, inverted or not")
    func inks() throws {
        for withoutAdobe in [false, true] {
            let cyan: [UInt8] = withoutAdobe ? [255, 0, 0, 0] : [0, 255, 255, 255]
            let sample = JPEGSample(
                colour: EMB_JPEG_CMYK, quality: 100, withoutAdobe: withoutAdobe,
                segments: JPEGSample.profile(ProfileSample.inks))
            let found = pixel(try decode(sample.bytes(Self.flat(cyan), 16, 16)), 8, 8)
            #expect(found[0] > 200 && found[2] < 120 && found[3] == 255)
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
    func damage() {
        var dice = SeededRandom(seed: 63)
        var converted = 0
        for profile in [ProfileSample.adobe, ProfileSample.grey, ProfileSample.inks] {
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
                #expect(pixels[3] == 40 || profile == ProfileSample.inks)
            }
        }
        #expect(converted > 0)
    }

    @Test("a repeated colour is always converted to the same colour")
    func again() {
        var dice = SeededRandom(seed: 64)
        /// Flat fields, noise, a repeating set of few colours, and noise again.
        let pixels = (0..<60_000).flatMap { index -> [UInt8] in
            let kind = index / 7_000 % 4
            // Starts at white, so that the first field is white.
            let hue =
                kind == 0 ? 0xFF_FFFF - index / 500 : kind == 2 ? index % 97 : dice.below(1 << 24)
            return [UInt8(hue & 255), UInt8(hue >> 8 & 255), UInt8(hue >> 16), UInt8(index & 255)]
        }
        for profile in [ProfileSample.adobe, ProfileSample.grey] {
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
