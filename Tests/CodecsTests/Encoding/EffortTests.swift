import Codecs
import Raster
import Testing

@Suite("The effort of encoders")
struct EffortTests {
    /// Encodes with an effort, compares the pixels of two decoders, and returns the file.
    private static func png(
        _ picture: borrowing PixelBuffer, _ effort: EncodeEffort
    ) throws -> [UInt8] {
        let file = try ImageEncoder.encode(
            picture, EncodeSettings(format: .png, effort: effort))
        let pixels = picture.pixels.copied()
        #expect(Outcome(file).rgba == pixels)
        let reference = try #require(PNGReference.decode(file))
        #expect(PNGReference.premultiplied(reference) == pixels)
        return file
    }

    @Test("every effort keeps the pixels of a PNG, and small files are at most as large")
    func pixels() throws {
        var totals: [EncodeEffort: Int] = [:]
        for kind in 0..<TestEmblem.kinds {
            for side in [1, 7, 40, 64, 80, 120] {
                let picture = PNGEncodeTests.emblem(kind, side)
                var sizes: [EncodeEffort: Int] = [:]
                for effort in EncodeEffort.allCases {
                    sizes[effort] = try Self.png(picture, effort).count
                    totals[effort, default: 0] += sizes[effort] ?? 0
                }
                let (small, standard) = (sizes[.small] ?? 0, sizes[.standard] ?? 0)
                #expect(small <= standard, "emblem \(kind) of \(side) pixels")
            }
        }
        let standard = try #require(totals[.standard])
        #expect((totals[.small] ?? 0) * 100 <= standard * 97, "\(totals)")
        #expect((totals[.fast] ?? 0) * 100 <= standard * 110, "\(totals)")
    }

    @Test("every effort keeps the pixels of a lossless WebP")
    func losslessWebP() throws {
        var totals: [EncodeEffort: Int] = [:]
        for kind in 0..<TestEmblem.kinds {
            let picture = PNGEncodeTests.emblem(kind, 80)
            let pixels = picture.pixels.copied()
            for effort in EncodeEffort.allCases {
                let file = try ImageEncoder.encode(
                    picture, EncodeSettings(format: .webp, quality: .lossless, effort: effort))
                let decoded = try decode(file)
                let found = decoded.pixels.copied()
                #expect(found == pixels, "emblem \(kind)")
                totals[effort, default: 0] += file.count
            }
        }
        let standard = try #require(totals[.standard])
        #expect(totals[.small] ?? 0 < standard, "\(totals)")
        #expect((totals[.fast] ?? 0) * 100 <= standard * 110, "\(totals)")
    }

    @Test("the built-in lossy WebP encoder has one effort, and libwebp has three")
    func lossyWebP() throws {
        let picture = PNGEncodeTests.emblem(2, 120)
        for (codecs, count) in [(CodecChoice.fast, 1), (.system, 3)] {
            var sizes: Set<Int> = []
            for effort in EncodeEffort.allCases {
                let settings = EncodeSettings(format: .webp, effort: effort, codecs: codecs)
                sizes.insert(try ImageEncoder.encode(picture, settings).count)
            }
            #expect(sizes.count == count, "\(codecs)")
        }
    }
}
