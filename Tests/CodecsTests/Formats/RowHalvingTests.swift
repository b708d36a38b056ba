import Codecs
import Raster
import Support
import System
import Testing

/// Rows that are halved while they are decoded must give the bytes of the whole image, halved.
@Suite("Row halving during decoding")
struct RowHalvingTests {
    /// The result of decoding and halving for one size.
    private enum Outcome: Hashable {
        case pixels(PixelSize, [UInt8], isOpaque: Bool, Shrinkage?)
        case failure(DecodeError)
    }

    private static let needed = PixelSize(width: 2, height: 2)

    /// Decodes an image, halves it as a resampler to `needed` does, and returns the result.
    ///
    /// - Parameter byRows: halves while decoding. Unless libpng decodes alone, the decoder must then
    ///   return fewer pixels than the image has.
    private static func outcome(
        _ bytes: [UInt8], byRows: Bool, codecs: CodecChoice = .fast
    ) -> Outcome {
        let halving = RowHalving(neededSize: needed, leastPixels: 1)
        let request = DecodeRequest(
            halving: byRows ? halving : nil, defersOrientation: true, codecs: codecs)
        do throws(DecodeError) {
            let header = try readHeader(bytes)
            let picture = try decode(bytes, request)
            #expect(
                ImageDecoder.memoryCost(of: header, request: request) >= picture.size.byteCount)
            if byRows, codecs == .fast { #expect(picture.size.area < header.size.area) }
            let halves = picture.halved(for: [needed])
            return .pixels(
                halves.size, halves.pixels.copied(), isOpaque: halves.isOpaque, halves.shrinkage)
        } catch {
            return .failure(error)
        }
    }

    private static func compare(
        _ bytes: [UInt8], system: Bool = false, _ comment: String
    ) {
        let whole = outcome(bytes, byRows: false)
        for codecs in system ? [CodecChoice.fast, .system] : [.fast] {
            let rows = outcome(bytes, byRows: true, codecs: codecs)
            #expect(rows == whole, "\(comment), \(codecs)")
        }
    }

    @Test("halved rows of a PNG equal the halved image", arguments: PNGSample.all)
    func png(sample: PNGSample) {
        let sizes = [(37, 29), (64, 16), (17, 131), (40, 33), (16, 16)]
        for (index, size) in sizes.enumerated() {
            var sample = sample
            (sample.width, sample.height) = size
            Self.compare(
                sample.file(seed: UInt64(index)).bytes, system: true, "\(size), seed \(index)")
        }
    }

    @Test("a damaged or truncated PNG has one verdict, by rows or whole", arguments: PNGSample.all)
    func damagedPNG(sample: PNGSample) {
        var dice = SeededRandom(seed: 41)
        for round in 0..<40 {
            var file = sample.file(seed: UInt64(round))
            let index = file.chunks.count - 2
            var data = file.chunks[index].body
            switch round % 4 {
            case 0: data.removeLast(1 + dice.below(data.count - 1))
            case 1: data += [1, 2, 3]
            default:
                for _ in 0...(round % 3) {
                    data[dice.below(data.count)] = UInt8(dice.below(256))
                }
            }
            let half = dice.below(data.count + 1)
            file.chunks[index].body = Array(data[..<half])
            file.chunks.insert(.init(name: "IDAT", body: Array(data[half...])), at: index + 1)
            if round % 5 == 0 { file.chunks.insert(.init(name: "IDAT", body: []), at: index) }
            Self.compare(file.bytes, system: true, "round \(round)")
        }
    }

    @Test("rows of a PNG in another colour space are converted before they are halved")
    func profiledPNG() {
        for (depth, type) in [(8, 2), (8, 3), (8, 6), (16, 2), (16, 6)] {
            for interlaced in [false, true] {
                let sample = PNGSample(
                    depth: depth, type: type, interlaced: interlaced, transparency: type < 4,
                    width: 90, height: 61)
                var file = sample.file(seed: 5)
                // Display P3 with the curve of sRGB.
                file.chunks.insert(.init(name: "cICP", body: [12, 13, 0, 1]), at: 1)
                let plain = Self.outcome(sample.file(seed: 5).bytes, byRows: true)
                #expect(Self.outcome(file.bytes, byRows: true) != plain)
                Self.compare(file.bytes, system: true, "type \(type)")
            }
        }
    }

    @Test("a large PNG of any kind needs less than 12 MB for a small emblem")
    func pngMemory() {
        for (bits, model, alpha, interlaced) in [
            (8, ColorModel.rgb, true, false), (16, .rgb, true, false), (16, .rgb, true, true),
            (8, .palette, false, true), (1, .grey, false, false),
        ] {
            let header = ImageHeader(
                format: .png, codedSize: PixelSize(width: 7_000, height: 7_000), hasAlpha: alpha,
                bitsPerChannel: bits, colorModel: model, isProgressive: interlaced)
            let needed = PixelSize(width: 128, height: 128)
            let request = DecodeRequest(neededSize: needed, halving: RowHalving(neededSize: needed))
            #expect(ImageDecoder.memoryCost(of: header, request: request) < 12 << 20)
            let small = ImageHeader(
                format: .png, codedSize: PixelSize(width: 2_000, height: 2_000), hasAlpha: alpha,
                bitsPerChannel: bits, colorModel: model, isProgressive: interlaced)
            #expect(ImageDecoder.memoryCost(of: small, request: request) > 16_000_000)
        }
    }

    /// Returns a bitmap of 37 x 29 pixels with random colours and data.
    private static func bitmap(
        bits: Int, isTopDown: Bool, data: [UInt8], _ dice: inout SeededRandom
    ) -> [UInt8] {
        let colors = bits <= 8 ? dice.bytes(4 << bits) : []
        var head = le32(40) + le32(37) + le32(isTopDown ? -29 : 29) + le16(1) + le16(bits)
        head += [UInt8](repeating: 0, count: 24) + colors
        return Array("BM".utf8) + le32(14 + head.count + data.count) + le32(0)
            + le32(14 + head.count) + head + data
    }

    @Test("halved rows of a BMP equal the halved image, whole or truncated")
    func bmp() {
        var dice = SeededRandom(seed: 8)
        for bits in [1, 4, 8, 16, 24, 32] {
            for isTopDown in [false, true] {
                let stride = (37 * bits + 31) / 32 * 4
                for count in [stride * 29, stride * 17 + 5, stride * 28 + 3, 0] {
                    let file = Self.bitmap(
                        bits: bits, isTopDown: isTopDown, data: dice.bytes(count), &dice)
                    Self.compare(file, "\(bits), \(isTopDown), \(count) bytes")
                }
            }
        }
    }

    @Test("halved rows of a GIF equal the halved image, whole, truncated or damaged")
    func gif() {
        var dice = SeededRandom(seed: 10)
        for isInterlaced in [false, true] {
            for (origin, transparent) in [((0, 0), nil), ((3, 5), nil), ((0, 0), 4)]
                as [((Int, Int), Int?)]
            {
                let sample = GIFSample(
                    width: 61, height: 43, screen: (61, 43), origin: origin,
                    isInterlaced: isInterlaced, transparent: transparent)
                let bytes = sample.bytes()
                Self.compare(bytes, "\(origin)")
                for round in 0..<40 {
                    var damaged = bytes
                    if round % 2 == 0 {
                        damaged.removeLast(1 + dice.below(bytes.count - 100))
                    } else {
                        damaged[100 + dice.below(bytes.count - 100)] = UInt8(dice.below(256))
                    }
                    Self.compare(damaged, "\(origin), round \(round)")
                }
            }
        }
    }

    @Test("a large BMP or GIF for a small emblem needs less than 12 MB")
    func otherMemory() {
        let needed = PixelSize(width: 128, height: 128)
        let request = DecodeRequest(neededSize: needed, halving: RowHalving(neededSize: needed))
        for format in [ImageFormat.bmp, .gif] {
            let header = ImageHeader(
                format: format, codedSize: PixelSize(width: 7_000, height: 7_000))
            #expect(ImageDecoder.memoryCost(of: header, request: request) < 12 << 20)
        }
    }
}
