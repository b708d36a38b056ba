import Raster
import Testing

@Suite("Row halving")
struct RowHalverTests {
    private static func halved(
        _ picture: borrowing PixelBuffer, _ count: Int, kernel: KernelChoice
    ) -> PixelBuffer {
        let halver = RowHalver(picture.size, halvings: count, kernel: kernel)
        let stride = picture.bytesPerRow
        unsafe picture.withUnsafePixels { pixels in
            while !halver.isComplete {
                unsafe halver.next.update(from: pixels + halver.count * stride, count: stride)
                halver.take()
            }
        }
        return halver.finish(isOpaque: picture.isOpaque)
    }

    @Test("rows halved one by one equal the halved picture for every size and kernel")
    func same() {
        var compared = 0
        for (width, height) in [(8, 8), (16, 9), (33, 70), (101, 64), (70, 123), (9, 250)] {
            let picture = Pictures.noise(width, height, seed: 3)
            for (across, down) in [(1, 1), (2, 1), (1, 3), (4, 4), (12, 8)] {
                let target = PixelSize(width: across, height: down)
                let steps = PyramidSteps(from: picture.size, to: target)
                let count = min(steps.across, steps.down)
                guard count > 0 else { continue }
                let whole = picture.copy().halved(for: [target])
                for kernel in KernelChoice.allCases {
                    let rows = Self.halved(picture, count, kernel: kernel).halved(for: [target])
                    #expect(Pictures.bytes(rows) == Pictures.bytes(whole), "\(picture.size)")
                    #expect(rows.shrinkage == whole.shrinkage)
                    compared += 1
                }
            }
        }
        #expect(compared > 40)
    }

    @Test("missing rows of a halved picture are transparent")
    func missing() {
        let picture = Pictures.noise(40, 40, seed: 4, opaque: true)
        let halver = RowHalver(picture.size, halvings: 1)
        unsafe picture.withUnsafePixels { pixels in
            for _ in 0..<20 {
                unsafe halver.next.update(
                    from: pixels + halver.count * picture.bytesPerRow, count: picture.bytesPerRow)
                halver.take()
            }
        }
        let halves = halver.finish(isOpaque: true)
        let bytes = Pictures.bytes(halves)
        #expect(halves.isOpaque == false)
        #expect(bytes[..<(9 * 20 * 4)].contains { $0 > 0 })
        #expect(bytes[(11 * 20 * 4)...].allSatisfy { $0 == 0 })
    }
}
