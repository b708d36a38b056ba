import Codecs
import Raster
import Support
import System
import Testing

/// The libdeflate path and libpng must give the same verdict and the same image.
@Suite("PNG compared with libpng")
struct PNGLibraryTests {
    /// Requests with each codec and with different memory limits.
    private static let ways = [
        DecodeRequest(), DecodeRequest(workingBytes: 0), DecodeRequest(codecs: .system),
    ]

    @Test(
        "damaged PNG data has the same verdict and pixels as in libpng",
        arguments: PNGSample.all)
    func damage(sample: PNGSample) {
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
            file.chunks[index].body = data
            if round % 5 == 0 { file.chunks.insert(.init(name: "IDAT", body: []), at: index) }
            let bytes = file.bytes
            let outcomes = Self.ways.map { PNGOutcome(bytes, $0) }
            let names = outcomes.map(\.name)
            #expect(Set(names).count == 1, "round \(round): \(names)")
            // Images are equal to the last pixel, even if they are truncated.
            #expect(Set(outcomes.map(\.rgba).filter { !$0.isEmpty }).count <= 1, "round \(round)")
        }
    }
}
