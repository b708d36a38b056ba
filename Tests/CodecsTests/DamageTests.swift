import CShims
import Codecs
import Raster
import Support
import System
import Testing

@Suite("Damage")
struct DamageTests {
    static let samples: [(String, [UInt8])] = {
        let picture = Sample.waves(60, 44)
        let clear = Sample.waves(60, 44, hasAlpha: true)
        let bitmap = BMPSample(bits: 24)
        return [
            ("jpeg", JPEGSample(segments: JPEGSample.exif(6)).bytes(picture)),
            ("subsampled jpeg", JPEGSample(subsampled: true).bytes(picture)),
            (
                "progressive jpeg with restarts",
                JPEGSample(progressive: true, restartRows: 1).bytes(picture)
            ),
            ("png", PNGSample(depth: 8, type: 2).file(seed: 4).bytes),
            ("png with alpha", PNGSample(depth: 8, type: 6, interlaced: true).file(seed: 4).bytes),
            ("jpeg with restarts", JPEGSample(restartRows: 1).bytes(picture)),
            ("progressive jpeg", JPEGSample(progressive: true).bytes(picture)),
            ("arithmetic jpeg", JPEGSample(arithmetic: true).bytes(picture)),
            (
                "arithmetic progressive",
                JPEGSample(progressive: true, arithmetic: true).bytes(picture)
            ),
            ("inks", JPEGSample(colour: EMB_JPEG_YCCK).bytes(picture)),
            ("lossless webp", WebPSample.plain(clear)),
            ("lossy webp", WebPSample.plain(clear, lossless: false)),
            ("gif", GIFSample(width: 60, height: 44, screen: (60, 44)).bytes()),
            ("bmp", bitmap.bytes()), ("runs", BMPSample(bits: 8, compression: 1).bytes()),
            ("icon", ICOTests.file([(5, bitmap.head(isIcon: true) + bitmap.rows())])),
            ("avif", HEIFSample.avifTurned), ("heic", HEIFSample.heicTurned),
        ]
    }()

    @Test(
        "flipped bits end in a picture or an error, alike each time",
        arguments: samples.indices)
    func flips(index: Int) {
        let (name, whole) = Self.samples[index]
        var dice = SeededRandom(seed: UInt64(index))
        for round in 0..<150 {
            var bytes = whole
            for _ in 0...dice.below(3) {
                bytes[dice.below(bytes.count)] ^= 1 << UInt8(dice.below(8))
            }
            let first = Outcome(bytes)
            #expect(Outcome(bytes) == first, "\(name), seed \(index), round \(round)")
            _ = Outcome(bytes, DecodeRequest(allowTruncated: true))
        }
    }

    @Test("zeroed stretches and cuts end cleanly too", arguments: samples.indices)
    func stretches(index: Int) {
        let (_, whole) = Self.samples[index]
        var dice = SeededRandom(seed: 1_000 + UInt64(index))
        for _ in 0..<60 {
            var bytes = whole
            let start = dice.below(bytes.count)
            for place in start..<min(bytes.count, start + 1 + dice.below(40)) {
                bytes[place] = dice.below(2) == 0 ? 0 : 0xFF
            }
            _ = Outcome(Array(bytes.prefix(dice.below(bytes.count) + 1)))
            _ = Outcome(bytes, DecodeRequest(allowTruncated: true))
        }
    }

    /// What is asked for may differ in size, in whose code reads, and in the memory at hand.
    private static let requests: [DecodeRequest] = CodecChoice.allCases.flatMap { codecs in
        [4, 13, 60].flatMap { side in
            [0, 256 << 20].map { working in
                DecodeRequest(
                    neededSize: PixelSize(width: side, height: side), workingBytes: working,
                    codecs: codecs)
            }
        }
    }

    @Test("the bytes alone decide whether a picture is sound", arguments: samples.indices)
    func verdicts(index: Int) {
        let (name, whole) = Self.samples[index]
        var dice = SeededRandom(seed: 77 + UInt64(index))
        for round in 0..<120 {
            var bytes = whole
            for _ in 0...dice.below(3) {
                bytes[dice.below(bytes.count)] = UInt8(dice.below(256))
            }
            if round % 3 == 0 { bytes.removeLast(dice.below(bytes.count / 2)) }
            let verdicts = Self.requests.map { request in
                Outcome(bytes, request).error.map(Self.kind) ?? "ok"
            }
            #expect(Set(verdicts).count == 1, "\(name), round \(round): \(verdicts)")
        }
    }

    /// The error without its words.
    private static func kind(_ error: DecodeError) -> String {
        switch error {
        case .notImage: "not_image"
        case .unsupported: "unsupported"
        case .truncated: "truncated"
        case .corrupt: "corrupt"
        case .limitPixels: "limit_pixels"
        case .limitDecode: "limit_decode"
        }
    }

    @Test("every error says what happened")
    func descriptions() {
        let errors: [DecodeError] = [
            .notImage, .unsupported("a"), .truncated, .corrupt("b"), .limitPixels,
            .limitDecode("c"),
        ]
        #expect(Set(errors.map { $0.description }).count == errors.count)
    }
}
