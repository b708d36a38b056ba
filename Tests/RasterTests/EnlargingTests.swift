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
}

@Suite("Sharp enlargement of small pictures")
struct SharpEnlargementTests {
    private static func step(_ side: Int) -> PixelBuffer {
        var picture = PixelBuffer(size: PixelSize(width: side, height: side))
        picture.fill(Color(red: 240, green: 240, blue: 240))
        var half = PixelBuffer(size: PixelSize(width: side / 2, height: side))
        half.fill(Color(red: 20, green: 40, blue: 60))
        picture.draw(half, x: 0, y: 0)
        return picture
    }

    private static func between(_ picture: borrowing PixelBuffer) -> Int {
        let row = picture.height / 2 * picture.bytesPerRow
        return (0..<picture.width).count { (40...220).contains(picture.pixels[row + $0 * 4]) }
    }

    @Test("a sharpened edge becomes narrower within the range of the picture")
    func narrower() {
        let small = Self.step(64)
        let size = PixelSize(width: 128, height: 128)
        let smooth = Resampler().resample(small, to: size)
        let sharp = Enlargement.sharpened(smooth.copy(), by: 2000)
        #expect(Self.between(sharp) < Self.between(smooth))
        for index in stride(from: 0, to: sharp.pixels.count, by: 4) {
            #expect(sharp.pixels[index] >= smooth.pixels[0] - 8)
            #expect(sharp.pixels[index + 3] == 255)
        }
    }

    @Test("a sharpened premultiplied channel never exceeds its alpha")
    func premultiplied() {
        var disc = PixelBuffer(size: PixelSize(width: 60, height: 60))
        disc.fill(Color(red: 250, green: 30, blue: 60))
        disc.mask(by: CornerMask(size: disc.size, radius: 30, style: .circular))
        let large = Resampler().resample(disc, to: PixelSize(width: 100, height: 100))
        let sharp = Enlargement.sharpened(large.copy(), by: 1666)
        for index in stride(from: 0, to: sharp.pixels.count, by: 4) {
            let alpha = sharp.pixels[index + 3]
            for channel in 0..<3 { #expect(sharp.pixels[index + channel] <= alpha) }
        }
    }

    @Test("only pictures of 48 to 100 pixels with few colours are sharpened")
    func flat() {
        for (side, wanted) in [(64, true), (40, false), (200, false)] {
            let isFlat = Enlargement.isFlat(Self.step(side))
            #expect(isFlat == wanted, "\(side)")
        }
        var noise = PixelBuffer(size: PixelSize(width: 64, height: 64))
        do {
            var pixels = noise.mutablePixels
            for index in 0..<pixels.count {
                pixels[index] =
                    index % 4 == 3
                    ? 255 : UInt8(truncatingIfNeeded: (index &* 2_654_435_761) >> 7)
            }
        }
        let isFlat = Enlargement.isFlat(noise)
        #expect(!isFlat)
    }
}
