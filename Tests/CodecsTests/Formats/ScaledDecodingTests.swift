import Codecs
import Raster
import Testing

@Suite("Scaled decoding")
struct ScaledDecodingTests {
    /// Compares an image decoded for one size with a full decode scaled by the reference.
    static func quality(_ bytes: [UInt8], edge: Int) throws -> (decibels: Double, kept: PixelSize) {
        let full = try decode(bytes)
        let placement = Placement(
            source: (Double(full.width), Double(full.height)),
            canvas: PixelSize(width: edge, height: edge), mode: .fit, largestFactor: 1)
        let target = placement.scaled
        let small = try decode(bytes, DecodeRequest(neededSize: target))
        let found = Resampler().resample(small, to: target)
        let reference = LanczosReference.resample(full, to: target)
        return (LanczosReference.decibels(found, reference), small.size)
    }

    @Test("photographs keep their quality when JPEG is decoded at a reduced size")
    func jpeg() throws {
        var all: [Double] = []
        var shrunk = 0
        for (index, size) in [(640, 427), (1001, 675), (1200, 800), (515, 771)].enumerated() {
            let picture = Sample.photograph(size.0, size.1, seed: UInt64(index))
            let sample = JPEGSample(
                quality: 88, progressive: index == 1, subsampled: true,
                segments: index == 2 ? JPEGSample.exif(6) : [])
            let bytes = sample.bytes(picture)
            for edge in [40, 64, 97, 128, 200] {
                let (decibels, kept) = try Self.quality(bytes, edge: edge)
                all.append(decibels)
                if kept.area < size.0 * size.1 { shrunk += 1 }
                #expect(decibels > 44, "\(size) to \(edge)")
            }
        }
        let mean = all.reduce(0, +) / Double(all.count)
        #expect(mean > 51)
        #expect(shrunk >= 15)
    }

    @Test("photographs keep their quality when WebP is decoded at a reduced size")
    func webp() throws {
        var all: [Double] = []
        for (index, size) in [(640, 427), (1001, 675)].enumerated() {
            let picture = Sample.photograph(size.0, size.1, seed: UInt64(index))
            let bytes = try WebPEncoder.encode(picture, quality: .lossy(85))
            for edge in [40, 64, 97, 128, 200] {
                let (decibels, _) = try Self.quality(bytes, edge: edge)
                all.append(decibels)
                #expect(decibels > 44, "\(size) to \(edge)")
            }
        }
        let mean = all.reduce(0, +) / Double(all.count)
        #expect(mean > 51)
    }
}
