import Codecs
import Raster
import Support
import Testing

/// An image in every division into scans, made by jpegtran, which rearranges coefficients without
/// changing them. The pixels must therefore stay equal.
@Suite("Scans of JPEG")
struct JPEGScanTests {
    /// The size of the image, and the requested sides that select 1, 2, 4 and 8 eighths of it.
    static let size = PixelSize(width: 333, height: 251)
    static let sides = [20, 40, 80, 333]

    static func request(_ side: Int, _ codecs: CodecChoice = .fast) -> DecodeRequest {
        DecodeRequest(
            neededSize: PixelSize(width: side, height: max(1, side * 251 / 333)), codecs: codecs)
    }

    static let samples = PictureFile.all
        .filter { ["photo/baseline", "photo/subsampled"].contains($0.name) }.map(\.bytes)

    @Test(
        "a JPEG holds the same pixels for every division into scans",
        arguments: JPEGScanScript.all)
    func pixels(name: String, script: String) throws {
        for sample in Self.samples {
            let divided = try JPEGScanScript.divide(sample, script)
            #expect(divided != sample)
            for codecs in CodecChoice.allCases {
                for side in Self.sides {
                    let request = Self.request(side, codecs)
                    // libjpeg decodes sequential scans of single components at every size.
                    let expected =
                        name.hasPrefix("sequential in") ? Self.request(side, .system) : request
                    #expect(
                        Outcome(divided, request) == Outcome(sample, expected), "\(name) \(side)")
                }
            }
        }
    }

    @Test(
        "the reduced JPEG decoder gives the same pixels as libjpeg for each scan script",
        arguments: [0, 1])
    func libraries(index: Int) throws {
        let bytes = Self.samples[index]
        let (eighth, quarter) = (Self.sides[0], Self.sides[1])
        let means = try decode(bytes, Self.request(eighth))
        let reference = try decode(bytes, Self.request(eighth, .system))
        #expect(means.size == PixelSize(width: 42, height: 32))
        let distances = zip(means.pixels.copied(), reference.pixels.copied()).map {
            abs(Int($0) - Int($1))
        }
        // Subsampled chroma is reduced less, by low frequencies or by averages.
        #expect(distances.max() ?? 255 <= (index == 0 ? 1 : 4))
        let small = try decode(bytes, Self.request(quarter))
        let other = try decode(bytes, Self.request(quarter, .system))
        // The two decoders reduce by different methods: low frequencies only, and averages.
        #expect(LanczosReference.decibels(small, other.pixels.copied()) > 30)
    }

    @Test("JPEG scans after the DC scans may be damaged or missing in a closed file")
    func detail() throws {
        let script = try #require(JPEGScanScript.all.first?.text)
        let bytes = try JPEGScanScript.divide(Self.samples[1], script)
        let starts = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        // Truncated after the DC scans of all components, with an end marker.
        let closed = Array(bytes[..<starts[2]]) + [0xFF, 0xD9]
        // Most of the third scan is missing, up to the Huffman tables of the fourth.
        let tables = try #require(
            bytes.indices.dropLast().first {
                $0 > starts[2] && bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC4
            })
        let emptied = Array(bytes[..<(starts[2] + 30)]) + Array(bytes[tables...])
        for codecs in CodecChoice.allCases {
            for side in Self.sides {
                let request = Self.request(side, codecs)
                #expect(Outcome(closed, request).error == nil, "\(side)")
                #expect(Outcome(emptied, request).error == nil, "\(side)")
                let open = Outcome(Array(closed.dropLast(2)), request)
                #expect(open.error == .truncated, "\(side)")
            }
        }
    }
}
