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

    @Test("an axis that keeps its size is unchanged by resampling")
    func oneAxis() {
        let picture = Pictures.make(40, 30, opaque: true) { _, y in
            Color(red: UInt8(y * 8), green: UInt8(255 - y * 8), blue: UInt8(y))
        }
        let narrow = resample(picture, 13, 30)
        for y in 0..<30 {
            for x in 0..<13 {
                #expect(Pictures.pixel(narrow, x, y) == Pictures.pixel(picture, 0, y))
            }
        }
    }

    @Test(
        "an even surface stays even after resampling at every alpha and scale", arguments: kernels)
    func constant(kernel: KernelChoice) {
        let sizes = [(1, 1), (1, 9), (9, 1), (7, 5), (64, 48), (300, 200), (1000, 3), (517, 640)]
        let targets = [(1, 1), (5, 7), (13, 1), (40, 40), (100, 61), (16, 16)]
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
        arguments: [KernelChoice.best, .usual, .common])
    func kernelsAgree(kernel: KernelChoice) {
        let seed = TestSeed.value
        var random = SeededRandom(seed: seed)
        for round in 0..<150 {
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

    @Test("no resampled colour exceeds its alpha")
    func premultiplied() {
        for (width, height, across, down) in [
            (61, 43, 23, 19), (20, 20, 77, 70), (800, 600, 30, 20),
        ] {
            for seed in UInt64(0)..<4 {
                let result = resample(
                    Pictures.noise(width, height, seed: seed), across, down)
                for y in 0..<down {
                    for x in 0..<across {
                        let pixel = Pictures.pixel(result, x, y)
                        #expect(max(pixel.red, pixel.green, pixel.blue) <= pixel.alpha)
                    }
                }
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

    @Test("black and white lines mix to the mean of their sRGB values")
    func grey() {
        let lines = Pictures.make(256, 256, opaque: true) { x, _ in x % 2 == 0 ? .black : .white }
        let mixed = Pictures.pixel(resample(lines, 16, 16), 8, 8)
        #expect((127...128).contains(mixed.red) && mixed.alpha == 255)
    }

    @Test("one pixel, row or column can be resampled to any size", arguments: kernels)
    func slivers(kernel: KernelChoice) {
        for (width, height) in [(1, 1), (1, 50), (50, 1), (1, 5000), (5000, 1), (2, 3)] {
            let picture = Pictures.noise(width, height, seed: 3)
            for (across, down) in [(1, 1), (1, 40), (40, 1), (7, 9)] {
                let result = resample(picture, across, down, kernel: kernel)
                #expect(result.size == PixelSize(width: across, height: down))
            }
        }
    }

    @Test("rows of any width and number are resampled alike, interleaved or not")
    func widths() {
        let sizes = [
            (1024, 90, 70, 31), (512, 130, 40, 17), (30_000, 24, 9_000, 7), (33, 700, 30, 45),
            (48, 99, 16, 98), (2048, 40, 300, 39),
        ]
        for (width, height, across, down) in sizes {
            let picture = Pictures.make(width, height) { x, y in
                let isVisible = (x / 40 + y / 9) % 4 != 0 && x > 23
                return isVisible
                    ? Color(red: UInt8(x & 127), green: UInt8(y & 127), blue: 90, alpha: 200)
                    : .clear
            }
            let plain = resample(picture, across, down, kernel: .plain)
            for kernel in [KernelChoice.best, .usual, .common] {
                #expect(
                    Pictures.bytes(resample(picture, across, down, kernel: kernel))
                        == Pictures.bytes(plain), "\(width)x\(height) \(kernel)")
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

    @Test("a part of a picture has the pixels of the picture")
    func parts() {
        var picture = Pictures.noise(9, 8, seed: 4, opaque: true)
        let whole = picture.part(PixelRect(picture.size))
        #expect(Pictures.bytes(whole) == Pictures.bytes(picture))
        let part = picture.part(PixelRect(x: 2, y: 3, width: 4, height: 5))
        #expect(part.isOpaque == true)
        #expect(Pictures.pixel(part, 3, 4) == Pictures.pixel(picture, 5, 7))
        picture.fill(.clear)
        let corner = picture.part(PixelRect(x: 0, y: 0, width: 2, height: 2))
        #expect(corner.isOpaque == false)
        #expect(!PixelRect(x: 8, y: 0, width: 2, height: 1).isInside(picture.size))
        #expect(!PixelRect(x: -1, y: 0, width: 2, height: 1).isInside(picture.size))
        #expect(!PixelRect(x: 0, y: 0, width: 0, height: 1).isInside(picture.size))
    }

    @Test("the resampling kernel in use has a name")
    func names() {
        #expect(KernelChoice.plain.name == "plain")
        #expect(["avx512", "avx2", "sse2", "neon"].contains(KernelChoice.best.name))
    }

    private func distance(_ first: Color, _ second: Color) -> Int {
        max(
            abs(Int(first.red) - Int(second.red)), abs(Int(first.green) - Int(second.green)),
            abs(Int(first.blue) - Int(second.blue)), abs(Int(first.alpha) - Int(second.alpha)))
    }
}
