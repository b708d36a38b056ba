import Raster
import Support
import System
import Testing

@Suite("Resampling")
struct ResamplerTests {
    static let kernels = KernelChoice.allCases

    private func resample(
        _ picture: borrowing PixelBuffer, _ width: Int, _ height: Int, visible: PixelRect? = nil,
        kernel: KernelChoice = .best
    ) -> PixelBuffer {
        Resampler(kernel: kernel).resample(
            picture, to: PixelSize(width: width, height: height), visible: visible)
    }

    @Test("resampling to the same size gives the same pixels")
    func identity() {
        let picture = Pictures.noise(37, 23, seed: 1)
        let same = resample(picture, 37, 23)
        #expect(Pictures.bytes(same) == Pictures.bytes(picture))
        let part = resample(
            picture, 37, 23, visible: PixelRect(x: 3, y: 4, width: 9, height: 7))
        for y in 0..<7 {
            for x in 0..<9 {
                #expect(Pictures.pixel(part, x, y) == Pictures.pixel(picture, x + 3, y + 4))
            }
        }
    }

    @Test(
        "an even surface stays even after resampling at every alpha and scale", arguments: kernels)
    func constant(kernel: KernelChoice) {
        let sizes = [(1, 1), (1, 9), (7, 5), (300, 200), (1000, 3)]
        let targets = [(1, 1), (13, 1), (40, 40), (100, 61)]
        let shades: [Color] = [
            .white, .black, .clear, Color(red: 9, green: 200, blue: 77, alpha: 130),
        ]
        for (width, height) in sizes {
            for shade in shades {
                var picture = PixelBuffer(size: PixelSize(width: width, height: height))
                picture.fill(shade)
                for (across, down) in targets {
                    let result = resample(
                        picture, across, down, kernel: kernel)
                    #expect(result.isOpaque == picture.isOpaque)
                    let wanted = Pictures.pixel(picture, 0, 0)
                    let pixels = Pictures.bytes(result)
                    let flat = (0..<(across * down)).flatMap { _ in
                        [wanted.red, wanted.green, wanted.blue, wanted.alpha]
                    }
                    #expect(
                        pixels == flat,
                        "\(shade) \(width)x\(height) -> \(across)x\(down)")
                }
            }
        }
    }

    @Test(
        "the fast and the plain resampling kernels give the same bytes",
        arguments: [KernelChoice.best, .common])
    func kernelsAgree(kernel: KernelChoice) {
        let seed = TestSeed.value
        var random = SeededRandom(seed: seed)
        for round in 0..<40 {
            let wide = round % 5 == 0 ? 1200 : 90
            let source = PixelSize(
                width: random.number(in: 1...wide), height: random.number(in: 1...wide))
            let target = PixelSize(
                width: random.number(in: 1...60), height: random.number(in: 1...60))
            let x = random.number(in: 0...(target.width - 1))
            let y = random.number(in: 0...(target.height - 1))
            let window = PixelRect(
                x: x, y: y, width: random.number(in: 1...(target.width - x)),
                height: random.number(in: 1...(target.height - y)))
            let picture = Pictures.noise(
                source.width, source.height, seed: seed ^ UInt64(round), opaque: round % 3 == 0)
            let fast = Resampler(kernel: kernel).resample(
                picture, to: target, visible: window)
            let plain = Resampler(kernel: .plain).resample(
                picture, to: target, visible: window)
            #expect(
                Pictures.bytes(fast) == Pictures.bytes(plain),
                "\(TestSeed.words), round \(round): \(source) -> \(target), \(window)")
        }
    }

    @Test("a resampled window equals the same part of the whole")
    func windows() {
        for (width, height) in [(50, 40), (900, 700)] {
            let picture = Pictures.noise(width, height, seed: 5)
            let whole = resample(picture, 33, 27)
            for window in [
                PixelRect(x: 0, y: 0, width: 1, height: 1),
                PixelRect(x: 20, y: 3, width: 13, height: 24),
                PixelRect(x: 5, y: 5, width: 10, height: 10),
                PixelRect(x: 32, y: 26, width: 1, height: 1),
            ] {
                let part = resample(picture, 33, 27, visible: window)
                for y in 0..<window.height {
                    for x in 0..<window.width {
                        // The weights of a window may have one more bit than those of the whole.
                        let difference = distance(
                            Pictures.pixel(part, x, y),
                            Pictures.pixel(whole, x + window.x, y + window.y))
                        #expect(difference <= 1)
                    }
                }
            }
        }
    }

    @Test("mirroring and resampling commute")
    func flips() {
        for (width, height, across, down) in [
            (40, 30, 17, 11), (31, 47, 48, 90), (100, 100, 25, 25), (640, 480, 20, 15),
        ] {
            let picture = Pictures.noise(width, height, seed: 11)
            for orientation in [Orientation.upMirrored, .down, .downMirrored] {
                let first = resample(
                    picture.copy().oriented(by: orientation), across, down)
                let last = resample(picture, across, down).oriented(
                    by: orientation)
                #expect(
                    Pictures.bytes(first) == Pictures.bytes(last),
                    "\(width)x\(height) -> \(across)x\(down) \(orientation)")
            }
        }
    }

    @Test("a colour under zero alpha never becomes visible")
    func halo() {
        // Straight pixels as in a decoder: one file hides black, the other white.
        func logo(hidden: UInt8) -> PixelBuffer {
            var picture = PixelBuffer(size: PixelSize(width: 60, height: 60))
            var pixels = picture.mutablePixels
            for y in 0..<60 {
                for x in 0..<60 {
                    let shown = (x - 30) * (x - 30) + (y - 30) * (y - 30) < 500
                    for channel in 0..<3 {
                        pixels[(y * 60 + x) * 4 + channel] = shown ? 180 : hidden
                    }
                    pixels[(y * 60 + x) * 4 + 3] = shown ? 255 : 0
                }
            }
            picture.premultiply()
            return picture
        }
        let black = logo(hidden: 0)
        let white = logo(hidden: 255)
        let first = resample(black, 17, 17)
        let second = resample(white, 17, 17)
        #expect(Pictures.bytes(first) == Pictures.bytes(second))
        // At its edge the logo keeps its grey within the precision of alpha. Inside, where
        // alpha is limited to 255, the kernel's overshoot may show.
        for y in 0..<17 {
            for x in 0..<17 {
                let pixel = Pictures.pixel(first, x, y)
                let wanted = Int(pixel.alpha) * 180 / 255
                #expect(pixel.alpha == 255 || abs(Int(pixel.red) - wanted) <= 1)
            }
        }
    }

    @Test("a window of a huge scaled size costs only the window")
    func absurdScale() {
        let picture = Pictures.noise(1, 900, seed: 2)
        let huge = Placement.edgeLimit
        let result = resample(
            picture, 48, huge, visible: PixelRect(x: 0, y: huge / 2, width: 48, height: 48))
        #expect(result.size == PixelSize(width: 48, height: 48))
    }

    private func distance(_ first: Color, _ second: Color) -> Int {
        max(
            abs(Int(first.red) - Int(second.red)), abs(Int(first.green) - Int(second.green)),
            abs(Int(first.blue) - Int(second.blue)), abs(Int(first.alpha) - Int(second.alpha)))
    }
}
