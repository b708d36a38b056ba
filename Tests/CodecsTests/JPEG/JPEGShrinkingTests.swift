import Codecs
import Raster
import Support
import System
import Testing

/// Reduced decoding of a JPEG from the low frequencies of each block. Our decoder handles only
/// ordinary files and leaves the rest to libjpeg.
@Suite("Reduced JPEG decoding")
struct JPEGShrinkingTests {
    static let kinds = PictureFile.files(in: "photo").filter {
        $0.name != "photo/large" && $0.name != "photo/turned"
    }

    /// A size that is not a multiple of the block size, and the requested part of it.
    static let size = PixelSize(width: 333, height: 251)
    static let requests = [20, 40].map {
        DecodeRequest(neededSize: PixelSize(width: $0, height: $0 * 251 / 333))
    }

    @Test("each kind of JPEG is reduced to the same pixels as the full picture", arguments: kinds)
    func likeness(file: PictureFile) throws {
        let (name, bytes) = (file.name, file.bytes)
        let whole = try decode(bytes)
        for (eighths, request) in zip([1, 2], Self.requests) {
            let small = try decode(bytes, request)
            let shrinkage = Shrinkage(whole: Self.size, block: 8 / eighths)
            #expect(small.size == shrinkage.size && small.shrinkage == shrinkage, "\(name)")
            let target = PixelSize(width: 15, height: 11)
            let resampler = Resampler()
            let found = resampler.resample(small, to: target)
            let reference = LanczosReference.resample(whole, to: target)
            #expect(LanczosReference.decibels(found, reference) > 44, "\(name) at \(eighths)/8")
        }
    }

    @Test(
        "JPEG data of a reduced picture that ends before its last pixel is truncated",
        arguments: kinds)
    func truncated(file: PictureFile) {
        let (name, bytes) = (file.name, file.bytes)
        let last = name.contains("arithmetic") ? 85 : 99
        for request in Self.requests {
            for percent in 1...last {
                let cut = Array(bytes.prefix(bytes.count * percent / 100))
                let outcome = Outcome(cut, request)
                #expect(outcome.error == .truncated, "\(name) at \(percent) %")
            }
            #expect(Outcome(Array(bytes.dropLast(2)), request) == Outcome(bytes, request))
        }
    }

    @Test("a damaged JPEG has the same outcome as with libjpeg alone", arguments: kinds)
    func damage(file: PictureFile) {
        let (name, bytes) = (file.name, file.bytes)
        var dice = SeededRandom(seed: 2611)
        var (sound, refused) = (0, 0)
        for turn in 0..<150 {
            var damaged = bytes
            // Every second round changes the tables, where a byte has the most effect.
            let reach = turn % 2 == 0 ? bytes.count : min(bytes.count, 700)
            for _ in 0...(turn % 3) {
                damaged[2 + dice.below(reach - 2)] = UInt8(dice.below(256))
            }
            let request = Self.requests[turn / 2 % 2]
            if let apart = apartFromLibraries(damaged, request) {
                #expect(apart < 6, "\(name), turn \(turn)")
                sound += 1
            } else {
                refused += 1
            }
        }
        #expect(sound > 0 && refused > 0, "\(name): \(sound) and \(refused)")
    }

    @Test("a rotated JPEG is reduced as much as an upright one")
    func turned() throws {
        var request = Self.requests[0]
        request.neededSize = request.neededSize?.transposed
        request.defersOrientation = true
        let small = try decode(PictureFile.bytes("photo/turned"), request)
        let turn = small.pendingOrientation
        #expect(turn.rawValue == 6)
        #expect(small.size == Shrinkage(whole: Self.size, block: 8).size)
    }

    @Test("the memory cost of a JPEG grows with its coefficients and falls with its scale")
    func memory() throws {
        func cost(_ name: String, _ request: DecodeRequest = DecodeRequest()) throws -> Int {
            let header = try readHeader(PictureFile.bytes("photo/\(name)"))
            return ImageDecoder.memoryCost(of: header, request: request)
        }
        let plain = try cost("baseline")
        #expect(try cost("progressive") >= plain + Self.size.area * 6)
        #expect(try cost("baseline", Self.requests[0]) < plain)
    }

    @Test("a JPEG of 81 megapixels is reduced during decoding if the limit allows it")
    func large() throws {
        let bytes = try PictureFile.bytes("jpeg/81-megapixels")
        let request = DecodeRequest(
            limits: DecodeLimits(pixels: 100_000_000),
            neededSize: PixelSize(width: 240, height: 240))
        let header = try ImageDecoder.header(of: bytes.span, limits: request.limits)
        #expect(ImageDecoder.memoryCost(of: header, request: request) < 100 << 20)
        let size = try decode(bytes, request).size
        #expect(size == PixelSize(width: 1_125, height: 1_125))
    }

    @Test("photographs keep their quality when decoded at a reduced size")
    func quality() throws {
        let jpeg = try PictureFile.bytes("photo/large")
        let webp = try WebPEncoder.encode(decode(jpeg), quality: .lossy(85))
        for bytes in [jpeg, webp] {
            let full = try decode(bytes)
            for edge in [40, 64, 97, 128, 200] {
                let target = Placement(
                    source: (Double(full.width), Double(full.height)),
                    canvas: PixelSize(width: edge, height: edge), mode: .fit, largestFactor: 1
                ).scaled
                let small = try decode(bytes, DecodeRequest(neededSize: target))
                // WebP is halved from a ratio of eight on.
                if bytes == jpeg { #expect(small.size.area < full.size.area, "\(edge)") }
                let found = Resampler().resample(small, to: target)
                let reference = LanczosReference.resample(full, to: target)
                #expect(LanczosReference.decibels(found, reference) > 44, "\(edge)")
            }
        }
    }
}
