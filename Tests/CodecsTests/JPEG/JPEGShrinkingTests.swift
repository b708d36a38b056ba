import CShims
import Codecs
import Raster
import Support
import System
import Testing

/// Reduced decoding of a JPEG from the low frequencies of each block. Our decoder handles only
/// ordinary files and leaves the rest to libjpeg.
@Suite("Reduced JPEG decoding")
struct JPEGShrinkingTests {
    static let kinds: [(String, JPEGSample)] = [
        ("baseline", JPEGSample()),
        ("progressive", JPEGSample(progressive: true)),
        ("subsampled", JPEGSample(subsampled: true)),
        ("progressive and subsampled", JPEGSample(progressive: true, subsampled: true)),
        ("with restarts", JPEGSample(subsampled: true, restartRows: 1)),
        ("progressive with restarts", JPEGSample(progressive: true, restartRows: 2)),
        ("grey", JPEGSample(colour: EMB_JPEG_GREY)),
        ("grey and progressive", JPEGSample(colour: EMB_JPEG_GREY, progressive: true)),
        ("arithmetic", JPEGSample(arithmetic: true)),
    ]

    /// A size that is not a multiple of the block size, and the requested part of it.
    static let size = PixelSize(width: 333, height: 251)
    static let requests = [20, 40].map {
        DecodeRequest(neededSize: PixelSize(width: $0, height: $0 * 251 / 333))
    }

    static func bytes(_ sample: JPEGSample, seed: UInt64 = 3) -> [UInt8] {
        let picture = Sample.photograph(size.width, size.height, seed: seed)
        guard sample.colour == EMB_JPEG_GREY else { return sample.bytes(picture) }
        let pixels = picture.pixels
        let greys = (0..<size.area).map { pixels[$0 * 4 + 1] }
        return sample.bytes(greys, size.width, size.height)
    }

    @Test("each kind of JPEG is reduced to the same pixels as the full picture", arguments: kinds)
    func likeness(name: String, sample: JPEGSample) throws {
        let bytes = Self.bytes(sample)
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
    func truncated(name: String, sample: JPEGSample) {
        let bytes = Self.bytes(sample)
        let last = sample.arithmetic ? 85 : 99
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
    func damage(name: String, sample: JPEGSample) {
        let bytes = Self.bytes(sample)
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

    @Test("a rotated JPEG is reduced as much as an upright one", arguments: [6, 8])
    func turned(value: Int) throws {
        var sample = JPEGSample(subsampled: true)
        sample.segments = JPEGSample.exif(value)
        var request = Self.requests[0]
        request.neededSize = request.neededSize?.transposed
        request.defersOrientation = true
        let small = try decode(Self.bytes(sample), request)
        let turn = small.pendingOrientation
        #expect(turn.rawValue == value)
        #expect(small.size == Shrinkage(whole: Self.size, block: 8).size)
    }
}
