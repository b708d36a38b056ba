import CShims
import Codecs
import Raster
import Testing

@Suite("JPEG")
struct JPEGTests {
    static let kinds: [(String, JPEGSample)] = [
        ("baseline", JPEGSample()),
        ("progressive", JPEGSample(progressive: true)),
        ("arithmetic", JPEGSample(arithmetic: true)),
        ("arithmetic progressive", JPEGSample(progressive: true, arithmetic: true)),
        ("subsampled", JPEGSample(subsampled: true)),
        ("with restarts", JPEGSample(restartRows: 1)),
        ("coded as RGB", JPEGSample(colour: EMB_JPEG_RGB)),
    ]

    @Test("each kind of JPEG is decoded to its original", arguments: kinds)
    func everyKind(name: String, sample: JPEGSample) throws {
        let picture = Sample.waves(75, 53)
        let bytes = sample.bytes(picture)
        let header = try readHeader(bytes)
        let size = picture.size
        #expect(header.size == size)
        #expect(header.isProgressive == sample.progressive)
        #expect(header.colorModel == .rgb && !header.hasAlpha && header.bitsPerChannel == 8)
        let decoded = try decode(bytes)
        let isOpaque = decoded.isOpaque
        let error = distance(decoded, picture)
        #expect(isOpaque && error < 5)
    }

    @Test("a grey JPEG is decoded as grey")
    func grey() throws {
        let values = (0..<40 * 30).map { UInt8($0 % 40 * 6) }
        let bytes = JPEGSample(colour: EMB_JPEG_GREY).bytes(values, 40, 30)
        #expect(try readHeader(bytes).colorModel == .grey)
        let decoded = try decode(bytes)
        for x in stride(from: 4, to: 40, by: 7) {
            let found = pixel(decoded, x, 10)
            #expect(abs(Int(found[0]) - x * 6) < 6)
            #expect(found[0] == found[1] && found[1] == found[2] && found[3] == 255)
        }
    }

    @Test(
        "the inks of a CMYK JPEG are neither inverted nor swapped",
        arguments: [EMB_JPEG_CMYK, EMB_JPEG_YCCK])
    func inks(colour: Int) throws {
        // In Adobe's convention 255 means no ink: magenta and yellow make red.
        let red: [UInt8] = [255, 10, 10, 255]
        let rows = [[UInt8]](repeating: red, count: 256).flatMap { $0 }
        let bytes = JPEGSample(colour: colour, quality: 95).bytes(rows, 16, 16)
        #expect(try readHeader(bytes).colorModel == .cmyk)
        let found = pixel(try decode(bytes), 8, 8)
        #expect(found[0] > 245 && found[1] < 20 && found[2] < 20 && found[3] == 255)
    }

    @Test("the inks of a JPEG without an Adobe marker are amounts of ink")
    func plainInks() throws {
        let red: [UInt8] = [0, 245, 245, 0]
        let rows = [[UInt8]](repeating: red, count: 256).flatMap { $0 }
        let bytes = JPEGSample(colour: EMB_JPEG_CMYK, quality: 95, withoutAdobe: true)
            .bytes(rows, 16, 16)
        let found = pixel(try decode(bytes), 8, 8)
        #expect(found[0] > 245 && found[1] < 20 && found[2] < 20)
    }

    @Test("a JPEG of each of the eight orientations is decoded upright", arguments: 1...8)
    func orientations(value: Int) throws {
        let bytes = JPEGSample(segments: JPEGSample.exif(value)).bytes(Sample.turned(value))
        let header = try readHeader(bytes)
        #expect(header.orientation.rawValue == value)
        #expect(header.size == PixelSize(width: 48, height: 32))
        let decoded = try decode(bytes)
        let isUpright = Sample.isUpright(decoded)
        #expect(isUpright)
    }

    @Test("JPEG data that ends before the last pixel is truncated", arguments: kinds)
    func truncated(name: String, sample: JPEGSample) {
        let bytes = sample.bytes(Sample.waves(160, 120))
        // An arithmetic coder omits trailing zeros, so its last rows cannot be checked.
        let last = sample.arithmetic ? 85 : 99
        for percent in 1...last where bytes.count * percent / 100 > 2 {
            let cut = Array(bytes.prefix(bytes.count * percent / 100))
            #expect(Outcome(cut).error == .truncated, "\(name) at \(percent) %")
        }
        #expect(Outcome(Array(bytes.dropLast(2))) == Outcome(bytes), "\(name) without its end")
    }

    @Test("bytes after the end of a JPEG are ignored, and padding costs nothing")
    func padding() {
        let picture = Sample.waves(40, 30)
        let plain = JPEGSample().bytes(picture)
        let whole = Outcome(plain)
        #expect(Outcome(plain + [UInt8](repeating: 0x55, count: 100_000)) == whole)
        let fill = [UInt8](repeating: 0xFF, count: 2_000_000)
        #expect(Outcome(Array(plain[0..<2]) + fill + plain[2...]) == whole)
        let body = JPEGSample.segment(0xE5, [UInt8](repeating: 7, count: 65_533))
        let segments = [[UInt8]](repeating: body, count: 80).flatMap { $0 }
        #expect(Outcome(Array(plain[0..<2]) + segments + plain[2...]) == whole)
    }

    @Test("a JPEG with a declared size over the limit is refused without cost")
    func limits() throws {
        func declared(_ width: Int, _ height: Int, progressive: Bool) throws -> DecodeError? {
            var bytes = JPEGSample(progressive: progressive).bytes(Sample.waves(16, 16))
            let marker: UInt8 = progressive ? 0xC2 : 0xC0
            let frame = try #require(
                bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == marker })
            bytes.replaceSubrange(frame + 5..<frame + 9, with: be16(height) + be16(width))
            return Outcome(bytes).error
        }
        #expect(try declared(65_500, 65_500, progressive: false) == .limitPixels)
        #expect(try declared(65_500, 65_500, progressive: true) == .limitPixels)
        #expect(try declared(65_535, 65_535, progressive: false) == .limitPixels)
        #expect(try declared(65_535, 100, progressive: false) == .limitPixels)
        #expect(try declared(6_000, 5_000, progressive: true) == .limitPixels)
        #expect(try declared(6_000, 5_000, progressive: false) == .truncated)
        #expect(try declared(0, 16, progressive: false)?.isCorrupt == true)
    }

    @Test("a JPEG with more scans than allowed is refused")
    func scans() throws {
        var bytes = JPEGSample(progressive: true).bytes(Sample.waves(64, 64))
        let first = try #require(
            bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        let end = try #require(
            bytes.indices.first {
                $0 > first + 2 && bytes[$0] == 0xFF && bytes[$0 + 1] >= 0xC0
            })
        let scan = [[UInt8]](repeating: Array(bytes[first..<end]), count: 2_000)
        bytes.insert(contentsOf: scan.joined(), at: end)
        #expect(Outcome(bytes).error == .limitDecode("a JPEG of more than 100 scans"))
        let more = DecodeLimits(jpegScans: 3_000)
        #expect(Outcome(bytes, DecodeRequest(limits: more)).error == nil)
    }

    @Test("unsupported kinds of JPEG are named")
    func unsupported() throws {
        func patched(_ edit: (inout [UInt8], Int) -> Void) throws -> DecodeError? {
            var bytes = JPEGSample().bytes(Sample.waves(16, 16))
            let frame = try #require(
                bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
            edit(&bytes, frame)
            return Outcome(bytes).error
        }
        #expect(
            try patched { $0[$1 + 4] = 12 } == .unsupported("JPEG with 12 bits per channel"))
        #expect(try patched { $0[$1 + 1] = 0xC3 } == .unsupported("lossless JPEG"))
        #expect(try patched { $0[$1 + 1] = 0xC5 } == .unsupported("hierarchical JPEG"))
        #expect(try patched { $0[$1 + 9] = 2 } == .unsupported("JPEG with 2 components"))
        #expect(try patched { $0[$1 + 9] = 0 }?.isCorrupt == true)
        #expect(try patched { $0[$1 + 11] = 0x91 }?.isCorrupt == true)
    }

    @Test("a broken JPEG header ends without a crash")
    func brokenHeaders() {
        #expect(Outcome([0xFF, 0xD8]).error == .truncated)
        #expect(Outcome([0xFF, 0xD8, 0xFF]).error == .truncated)
        #expect(Outcome([0xFF, 0xD8, 0xFF, 0xD9]).error?.isCorrupt == true)
        #expect(Outcome([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0, 0]).error?.isCorrupt == true)
        let scan: [UInt8] = [0xFF, 0xDA, 0, 2, 0, 0]
        #expect(Outcome([0xFF, 0xD8] + scan).error?.isCorrupt == true)
    }

    @Test("the memory cost of a JPEG grows with progressive scans and rotations")
    func memory() throws {
        let picture = Sample.waves(400, 300)
        let request = DecodeRequest()
        func cost(_ sample: JPEGSample) throws -> Int {
            ImageDecoder.memoryCost(of: try readHeader(sample.bytes(picture)), request: request)
        }
        let plain = try cost(JPEGSample())
        #expect(plain >= 400 * 300 * 4)
        #expect(try cost(JPEGSample(progressive: true)) >= plain + 400 * 300 * 6)
        let small = DecodeRequest(neededSize: PixelSize(width: 20, height: 15))
        let header = try readHeader(JPEGSample().bytes(picture))
        #expect(ImageDecoder.memoryCost(of: header, request: small) < plain)
    }
}

extension DecodeError {
    var isCorrupt: Bool {
        if case .corrupt = self { true } else { false }
    }
}
