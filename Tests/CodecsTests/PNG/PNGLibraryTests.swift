import Codecs
import Digest
import Raster
import Support
import System
import Testing

/// The libdeflate path and libpng must give the same verdict and the same image.
@Suite("PNG compared with libpng")
struct PNGLibraryTests {
    /// Noise of every colour type, depth and interlacing, with and without a transparent colour.
    private static let kinds = PictureFile.files(in: "png").filter {
        $0.name.contains(/^png\/(grey|rgb|rgba|palette|grey-alpha)-[0-9]+(-interlaced)?(-trns)?/)
    }

    /// Requests with each codec and with different memory limits.
    private static let ways = [
        DecodeRequest(), DecodeRequest(workingBytes: 0), DecodeRequest(codecs: .system),
    ]

    @Test("PNG of every kind is decoded as by libpng, and marked as opaque if it is")
    func allKinds() throws {
        #expect(Self.kinds.count == 156)
        for file in Self.kinds {
            let reference = try #require(PNGReference.decode(file.bytes), "\(file.name)")
            let outcome = Outcome(file.bytes)
            #expect(outcome.rgba == PNGReference.premultiplied(reference), "\(file.name)")
            guard case .picture(_, let rgba, let isOpaque) = outcome else { continue }
            let expected = stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 255 }
            #expect(isOpaque == expected, "\(file.name)")
        }
    }

    @Test("damaged PNG data has the same verdict and pixels as in libpng")
    func damage() throws {
        for file in Self.kinds where !file.name.hasSuffix("thin") {
            var dice = SeededRandom(seed: 41)
            for round in 0..<20 {
                let bytes = try Self.withData(of: file.bytes) { data in
                    switch round % 4 {
                    case 0: data.removeLast(1 + dice.below(data.count - 1))
                    case 1: data += [1, 2, 3]
                    default:
                        for _ in 0...(round % 3) {
                            data[dice.below(data.count)] = UInt8(dice.below(256))
                        }
                    }
                }
                let outcomes = Self.ways.map { Outcome(bytes, $0) }
                let names = outcomes.map(\.name)
                #expect(Set(names).count == 1, "\(file.name), round \(round): \(names)")
                // Images are equal to the last pixel, even if they are truncated.
                let pictures = Set(outcomes.map(\.rgba).filter { !$0.isEmpty })
                #expect(pictures.count <= 1, "\(file.name), round \(round)")
            }
        }
    }

    /// Returns the file with its image data changed and the checksum of the data corrected.
    private static func withData(of file: [UInt8], _ change: (inout [UInt8]) -> Void) throws
        -> [UInt8]
    {
        let name = try #require(file.firstRange(of: Array("IDAT".utf8)))
        let length = file[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        var data = Array(file[name.upperBound..<name.upperBound + length])
        change(&data)
        let chunk = Array("IDAT".utf8) + data
        func big(_ number: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        return file[..<(name.lowerBound - 4)] + big(UInt32(data.count)) + chunk
            + big(CRC32.checksum(chunk.span)) + file[(name.upperBound + length + 4)...]
    }

    @Test("the memory cost of a PNG follows its header and stays near the real memory")
    func memory() throws {
        for file in Self.kinds {
            var header = try readHeader(file.bytes)
            header.codedSize = PixelSize(width: 500, height: 300)
            let pixels = header.codedSize.byteCount
            let roomy = PNGDecoder.memoryCost(
                of: header, request: DecodeRequest(workingBytes: 100 << 20))
            let tight = PNGDecoder.memoryCost(of: header, request: DecodeRequest(workingBytes: 0))
            // libpng reads interlaced and 16-bit images row by row.
            let isRaw = !header.isProgressive && header.bitsPerChannel <= 8
            #expect(roomy >= pixels + (isRaw ? 500 * 300 * header.bitsPerChannel / 8 : 0))
            #expect(tight > pixels && tight < pixels + 120_000)
            header.codedSize = PixelSize(width: .max / 2, height: .max / 2)
            #expect(PNGDecoder.memoryCost(of: header, request: DecodeRequest()) == .max)
        }
    }
}
