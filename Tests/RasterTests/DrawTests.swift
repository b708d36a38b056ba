import Raster
import Testing

@Suite("Drawing, filling and tinting")
struct DrawTests {
    private func expected(_ front: Color, _ back: Color) -> Color {
        func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
            UInt8(Int(top) + (Int(bottom) * (255 - Int(front.alpha)) + 127) / 255)
        }
        return Color(
            red: mix(front.red, back.red), green: mix(front.green, back.green),
            blue: mix(front.blue, back.blue), alpha: mix(front.alpha, back.alpha))
    }

    @Test("source-over is exact for every pixel, and clips", arguments: [-7, -1, 0, 2, 9, 19, 20])
    func over(offset: Int) {
        let back = Pictures.noise(20, 20, seed: 1)
        let front = Pictures.noise(11, 13, seed: 2)
        var result = back.copy()
        result.draw(front, x: offset, y: 3 - offset)
        for y in 0..<20 {
            for x in 0..<20 {
                let (u, v) = (x - offset, y - 3 + offset)
                let inside = u >= 0 && u < 11 && v >= 0 && v < 13
                let wanted =
                    inside
                    ? expected(Pictures.pixel(front, u, v), Pictures.pixel(back, x, y))
                    : Pictures.pixel(back, x, y)
                #expect(Pictures.pixel(result, x, y) == wanted)
            }
        }
    }

    @Test("an opaque picture replaces what it covers and keeps the result opaque")
    func opaque() {
        let front = Pictures.noise(8, 6, seed: 3, opaque: true)
        var back = Pictures.noise(8, 6, seed: 4)
        back.draw(front, x: 0, y: 0)
        #expect(back.isOpaque == true)
        #expect(Pictures.bytes(back) == Pictures.bytes(front))
        var wider = PixelBuffer(size: PixelSize(width: 9, height: 6))
        wider.draw(front, x: 1, y: 0)
        #expect(wider.isOpaque == false)
    }

    @Test("pixels that violate premultiplication saturate")
    func invalid() {
        var front = PixelBuffer(size: PixelSize(width: 1, height: 1))
        front.withPixelForTest { $0[0] = 250 }
        var back = PixelBuffer(size: PixelSize(width: 1, height: 1))
        back.fill(.white)
        back.draw(front, x: 0, y: 0)
        #expect(Pictures.pixel(back, 0, 0).red == 255)
    }

    @Test("filling premultiplies and sets the opaque flag")
    func fill() {
        var picture = PixelBuffer(size: PixelSize(width: 3, height: 2))
        #expect(Pictures.bytes(picture).allSatisfy { $0 == 0 })
        picture.fill(Color(red: 255, green: 128, blue: 0, alpha: 128))
        #expect(picture.isOpaque == false)
        #expect(
            Pictures.pixel(picture, 2, 1) == Color(red: 128, green: 64, blue: 0, alpha: 128))
        picture.fill(.white)
        #expect(picture.isOpaque == true)
    }

    @Test("opacity is detected from the pixels")
    func opacity() {
        for count in [1, 255, 256, 257, 1000] {
            var picture = PixelBuffer(size: PixelSize(width: count, height: 1))
            picture.fill(.white)
            picture.isOpaque = false
            picture.refreshOpacity()
            #expect(picture.isOpaque == true)
            picture.withPixelForTest { $0[$0.count - 1] = 254 }
            picture.refreshOpacity()
            #expect(picture.isOpaque == false)
        }
    }

    @Test("premultiplying pixels rounds every product to the nearest")
    func premultiply() {
        var picture = PixelBuffer(size: PixelSize(width: 256, height: 256))
        picture.withPixelForTest { bytes in
            for value in 0..<256 {
                for alpha in 0..<256 {
                    let index = (value * 256 + alpha) * 4
                    for channel in 0..<3 { bytes[index + channel] = UInt8(value) }
                    bytes[index + 3] = UInt8(alpha)
                }
            }
        }
        var opaque = picture.copy()
        picture.premultiply()
        for value in 0..<256 {
            for alpha in 0..<256 {
                let exact = (Double(value * alpha) / 255).rounded()
                #expect(Double(Pictures.pixel(picture, alpha, value).green) == exact)
            }
        }
        opaque.isOpaque = true
        opaque.premultiply()
        #expect(Pictures.pixel(opaque, 3, 200).red == 200)
    }

    @Test("a tint keeps the shape and takes the colour with its alpha")
    func tint() {
        let shape = Pictures.noise(16, 16, seed: 6)
        var solid = shape.copy()
        solid.tint(Color(red: 255, green: 51, blue: 0))
        var faint = shape.copy()
        faint.tint(Color(red: 255, green: 255, blue: 255, alpha: 51))
        for y in 0..<16 {
            for x in 0..<16 {
                let alpha = Int(Pictures.pixel(shape, x, y).alpha)
                let pixel = Pictures.pixel(solid, x, y)
                #expect(Int(pixel.alpha) == alpha)
                #expect(Int(pixel.red) == alpha)
                #expect(Int(pixel.green) == (alpha * 51 + 127) / 255)
                #expect(pixel.blue == 0)
                #expect(Int(Pictures.pixel(faint, x, y).alpha) == (alpha * 51 + 127) / 255)
            }
        }
        var opaque = Pictures.noise(2, 2, seed: 1, opaque: true)
        opaque.tint(.black)
        #expect(opaque.isOpaque == true)
        opaque.tint(Color(red: 0, green: 0, blue: 0, alpha: 9))
        #expect(opaque.isOpaque == false)
    }

    @Test("a copied picture is independent of the original")
    func copies() {
        let first = Pictures.noise(5, 5, seed: 9, opaque: true)
        var second = first.copy()
        #expect(Pictures.bytes(first) == Pictures.bytes(second))
        #expect(second.isOpaque == true)
        second.fill(.clear)
        #expect(Pictures.bytes(first) != Pictures.bytes(second))
    }

    @Test("sizes that overflow have the largest area")
    func sizes() {
        let huge = PixelSize(width: .max, height: 3)
        #expect(huge.area == .max)
        #expect(huge.byteCount == .max)
        #expect(PixelSize(width: .max / 2, height: 1).byteCount == .max)
        #expect("\(PixelSize(width: 3, height: 4).transposed)" == "4x3")
    }
}

extension PixelBuffer {
    /// Lets a test write bytes as a decoder does.
    fileprivate mutating func withPixelForTest(_ body: (inout MutableSpan<UInt8>) -> Void) {
        var pixels = mutablePixels
        body(&pixels)
    }
}
