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

    @Test("a halved picture is kept only if every size needs it")
    func kept() {
        func side(_ targets: [Int]) -> Int {
            Pictures.noise(512, 512, seed: 1).halved(
                for: targets.map { PixelSize(width: $0, height: $0) }
            ).width
        }
        #expect(side([65]) == 512)
        #expect(side([64]) == 256)
        #expect(side([64, 8]) == 256)
        #expect(side([32, 8]) == 128)
        #expect(side([65, 8, 8]) == 512)
        #expect(side([]) == 512)
    }

    @Test("visible islands in a large empty area are resampled exactly")
    func islands() {
        for (width, height) in [(260, 190), (97, 300), (512, 512)] {
            let picture = Pictures.make(width, height) { x, y in
                let island = x % 97 > 88 && y % 61 < 7 && (x / 97 + y / 61) % 3 == 1
                return island ? Color(red: 200, green: 90, blue: 10) : .clear
            }
            for (across, down) in [(61, 47), (40, 80), (300, 200)] {
                let target = PixelSize(width: across, height: down)
                let result = Resampler().resample(picture, to: target)
                var exact = Reference.resample(picture, to: target)
                for index in exact.indices { exact[index] = min(exact[index], exact[index | 3]) }
                #expect(Reference.psnr(Pictures.bytes(result), exact) > 60)
                let plain = Resampler(kernel: .plain).resample(picture, to: target)
                #expect(Pictures.bytes(plain) == Pictures.bytes(result))
            }
        }
    }
}
