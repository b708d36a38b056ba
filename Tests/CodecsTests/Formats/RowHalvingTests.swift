import Codecs
import Raster
import Support
import System
import Testing

/// Rows that are halved while they are decoded must give the bytes of the whole image, halved.
@Suite("Halving rows while they are decoded")
struct RowHalvingTests {
    /// The result of decoding and halving for one size.
    private enum Outcome: Hashable {
        case pixels(PixelSize, [UInt8], isOpaque: Bool, Shrinkage?)
        case failure(DecodeError)
    }

    private static let needed = PixelSize(width: 2, height: 2)

    /// Decodes an image, halves it as a resampler to `needed` does, and returns the result.
    ///
    /// - Parameter byRows: halves while decoding. The decoder must then return fewer pixels than the
    ///   image has, unless libpng alone cannot.
    private static func outcome(
        _ bytes: [UInt8], byRows: Bool, allowTruncated: Bool = false,
        codecs: CodecChoice = .fast
    ) -> Outcome {
        let halving = RowHalving(neededSize: needed, leastPixels: 1)
        let request = DecodeRequest(
            halving: byRows ? halving : nil, allowTruncated: allowTruncated, leavesTurn: true,
            codecs: codecs)
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
        for allowTruncated in [false, true] {
            let whole = outcome(bytes, byRows: false, allowTruncated: allowTruncated)
            for codecs in system ? [CodecChoice.fast, .system] : [.fast] {
                let rows = outcome(
                    bytes, byRows: true, allowTruncated: allowTruncated, codecs: codecs)
                #expect(rows == whole, "\(comment), \(codecs), truncated \(allowTruncated)")
            }
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
}
