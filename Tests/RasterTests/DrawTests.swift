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
}
