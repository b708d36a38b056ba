import Raster
import System
import Testing

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

    @Test("a picture that is not enlarged is not sharpened")
    func unchanged() {
        let picture = Self.step(64)
        let same = Enlargement.sharpened(picture.copy(), by: 1000)
        for index in 0..<same.pixels.count { #expect(same.pixels[index] == picture.pixels[index]) }
    }
}

@Suite("Placement of pictures in squares")
struct PicturePlaceTests {
    @Test(
        "the visible part of a square is inside the picture and the canvas",
        arguments: UInt64(0)..<40
    )
    func inside(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let source = (
            Double.random(in: 1...900, using: &random),
            Double.random(in: 1...900, using: &random)
        )
        let canvas = PixelSize(width: 128, height: 128)
        let place = PicturePlace(
            size: .random(in: 0.01...4, using: &random),
            centerX: .random(in: -1...2, using: &random),
            centerY: .random(in: -1...2, using: &random),
            cropped: .random(in: 0...0.3, using: &random))
        let placement = Placement(
            source: source, canvas: canvas, place: place, largestFactor: .infinity)
        let visible = placement.visible
        let words = "\(source) \(place)"
        #expect(visible.isInside(placement.scaled), "\(words)")
        #expect(placement.x >= 0 && placement.x + visible.width <= 128, "\(words)")
        #expect(placement.y >= 0 && placement.y + visible.height <= 128, "\(words)")
    }
}
