import Raster
import Testing

@Suite("Enlarging")
struct EnlargingTests {
    /// The sides of source and target, as for favicons.
    static let sides = [(16, 48), (16, 24), (16, 20), (32, 80), (32, 240), (8, 100), (47, 48)]

    private func enlarged(
        _ picture: borrowing PixelBuffer, _ width: Int, _ height: Int
    ) -> PixelBuffer {
        Resampler().resample(picture, to: PixelSize(width: width, height: height))
    }

    @Test("an enlarged edge changes a flat colour by less than 4 % of the step", arguments: sides)
    func overshoot(source: Int, target: Int) {
        let (dark, bright) = (60, 200)
        let edge = Pictures.make(source, source, opaque: true) { x, _ in
            let value = UInt8(x < source / 2 ? dark : bright)
            return Color(red: value, green: 255 - value, blue: value)
        }
        let result = enlarged(edge, target, target)
        let most = Int(Double(bright - dark) * 0.04) + 1
        for x in 0..<target {
            let pixel = Pictures.pixel(result, x, target / 2)
            #expect(Int(pixel.red) >= dark - most && Int(pixel.red) <= bright + most)
            #expect(abs(Int(pixel.green) - (255 - Int(pixel.red))) <= 1)
            // Two source pixels away, the edge has no effect.
            let distance = (Double(x) + 0.5) * Double(source) / Double(target) - Double(source / 2)
            if abs(distance) >= 2 { #expect(Int(pixel.red) == (distance < 0 ? dark : bright)) }
        }
    }

    @Test("an enlarged edge rises monotonically", arguments: sides)
    func monotone(source: Int, target: Int) {
        let edge = Pictures.make(source, 1, opaque: true) { x, _ in
            x < source / 2
                ? Color(red: 40, green: 40, blue: 40) : Color(red: 220, green: 220, blue: 220)
        }
        let result = enlarged(edge, target, 5)
        let values = (0..<target).map { Int(Pictures.pixel(result, $0, 2).red) }
        let low = values.lastIndex(of: values.min() ?? 0) ?? 0
        let high = values.firstIndex(of: values.max() ?? 0) ?? 0
        #expect(low < high)
        for x in low..<high { #expect(values[x] <= values[x + 1], "\(source) -> \(target)") }
    }

    @Test("an enlarged gradient stays a gradient", arguments: [(16, 48), (32, 80), (32, 240)])
    func slope(source: Int, target: Int) {
        let slope = Pictures.make(source, 3, opaque: true) { x, _ in
            let value = UInt8(x * 255 / (source - 1))
            return Color(red: value, green: value, blue: value)
        }
        let result = enlarged(slope, target, 9)
        let scale = Double(source) / Double(target)
        var compared = 0
        for x in 0..<target {
            let center = (Double(x) + 0.5) * scale - 0.5
            guard center > 2, center < Double(source - 3) else { continue }
            let wanted = center * 255 / Double(source - 1)
            let found = Double(Pictures.pixel(result, x, 4).red)
            // The source itself is rounded down to whole levels.
            #expect(abs(found - wanted) <= 1.6, "\(found) for \(wanted)")
            compared += 1
        }
        #expect(compared > target / 2)
    }

    @Test("an enlarged flat shape on a clear background keeps its colour without a halo")
    func halo() {
        let shape = Pictures.make(16, 16) { x, y in
            (4..<12).contains(x) && (4..<12).contains(y)
                ? Color(red: 10, green: 90, blue: 200) : .clear
        }
        let result = enlarged(shape, 48, 48)
        var solid = 0
        for y in 0..<48 {
            for x in 0..<48 {
                let pixel = Pictures.pixel(result, x, y)
                #expect(pixel.red <= pixel.alpha && pixel.blue <= pixel.alpha)
                guard pixel.alpha > 100 else { continue }
                let straight = Int(pixel.blue) * 255 / Int(pixel.alpha)
                // At a corner the overshoots of both axes add up, while alpha is limited to 255.
                #expect(abs(straight - 200) <= 16, "\(x), \(y)")
                solid += 1
            }
        }
        // The shape is 8 pixels wide and enlarged three times.
        #expect((22 * 22...28 * 28).contains(solid))
    }

    @Test("a reduced axis uses the same kernel next to an enlarged axis")
    func axesApart() {
        let picture = Pictures.make(300, 16, opaque: true) { x, _ in
            let value = UInt8((x * 37 + x * x / 9) % 256)
            return Color(red: value, green: value / 2, blue: 255 - value)
        }
        // All rows are equal, so enlarging them changes nothing.
        let shrunk = enlarged(picture, 70, 16)
        let mixed = enlarged(picture, 70, 48)
        for x in 0..<70 {
            #expect(Pictures.pixel(mixed, x, 24) == Pictures.pixel(shrunk, x, 8))
        }
    }

    @Test("every kernel enlarges to the same bytes", arguments: KernelChoice.allCases)
    func kernelsAgree(kernel: KernelChoice) {
        for (width, height, across, down) in [(16, 16, 48, 48), (31, 8, 80, 9), (200, 5, 40, 60)] {
            let picture = Pictures.noise(width, height, seed: 23)
            let target = PixelSize(width: across, height: down)
            let found = Resampler(kernel: kernel).resample(picture, to: target)
            let plain = Resampler(kernel: .plain).resample(picture, to: target)
            #expect(Pictures.bytes(found) == Pictures.bytes(plain))
        }
    }
}
