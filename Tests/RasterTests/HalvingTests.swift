import Raster
import Testing

@Suite("Halves shared by several sizes")
struct SharedHalvesTests {
    static let sources = [(1024, 1024), (700, 613), (333, 97), (40, 3000), (129, 128)]

    @Test("a picture that was halved in advance gives the same bytes", arguments: sources)
    func same(width: Int, height: Int) {
        for turn in [Orientation.up, .right] {
            for edges in [[160], [16], [32, 64, 128], [12, 12, 40], [100, 9, 3, 1]] {
                var picture = Pictures.noise(width, height, seed: 12)
                picture.pendingOrientation = turn
                let upright = turn.upright(picture.size)
                let targets = edges.map { edge in
                    Placement(
                        source: (Double(upright.width), Double(upright.height)),
                        canvas: PixelSize(width: edge, height: edge), mode: .fit, largestFactor: 1
                    ).scaled
                }
                let prepared = picture.copy().halved(for: targets)
                // `averaged` keeps its halved copies, and `halved` reuses them.
                var averaged = picture.copy()
                _ = averaged.averaged(to: 48)
                let reused = averaged.halved(for: targets)
                for target in targets {
                    let resampler = Resampler()
                    let wanted = Pictures.bytes(resampler.resample(picture, to: target))
                    let words = "\(width)x\(height) \(turn) \(edges) to \(target)"
                    #expect(
                        Pictures.bytes(resampler.resample(prepared, to: target)) == wanted,
                        "\(words)")
                    #expect(
                        Pictures.bytes(resampler.resample(reused, to: target)) == wanted,
                        "\(words), after an average")
                }
            }
        }
    }
}
