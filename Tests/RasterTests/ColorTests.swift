import Raster
import Testing

@Suite("Colours")
struct ColorTests {
    @Test(
        "a colour is read from its three notations",
        arguments: [
            ("#0AF", Color(red: 0, green: 170, blue: 255)),
            ("#0a5fff", Color(red: 10, green: 95, blue: 255)),
            ("#0A5FFF80", Color(red: 10, green: 95, blue: 255, alpha: 128)),
        ])
    func reading(text: String, color: Color) {
        #expect(Color(hex: text) == color)
    }

    @Test(
        "other texts are not a colour",
        arguments: [
            "", "#", "0AF", "#12", "#1234", "#12345", "#1234567", "#123456789", "#GG0000",
            "# 12345",
            "#12345é", "red", "##12345", "#+12345",
        ])
    func refusal(text: String) {
        #expect(Color(hex: text) == nil)
    }

    @Test("a colour is written in capitals, with alpha if it is not opaque")
    func writing() {
        #expect(Color(red: 10, green: 95, blue: 255).hex == "#0A5FFF")
        #expect(Color(red: 10, green: 95, blue: 255, alpha: 7).hex == "#0A5FFF07")
        #expect("\(Color.black)" == "#000000")
    }

    @Test("luminance and contrast match WCAG 2")
    func contrast() {
        #expect(Color.black.relativeLuminance == 0)
        #expect(abs(Color.white.relativeLuminance - 1) < 1e-12)
        #expect(abs(Color.white.contrast(against: .black) - 21) < 1e-9)
        #expect(Color.black.contrast(against: .white) == Color.white.contrast(against: .black))
        // The well-known greys just above and below 4.5.
        let grey76 = Color(red: 0x76, green: 0x76, blue: 0x76)
        let grey77 = Color(red: 0x77, green: 0x77, blue: 0x77)
        #expect(grey76.contrast(against: .white) > 4.5)
        #expect(grey77.contrast(against: .white) < 4.5)
        let blue = Color(red: 0, green: 0, blue: 255)
        #expect(abs(blue.contrast(against: .white) - 8.59) < 0.005)
    }

    @Test("a colour over another is mixed by its alpha")
    func over() {
        let half = Color(red: 255, green: 0, blue: 0, alpha: 128)
        #expect(half.over(.white) == Color(red: 255, green: 127, blue: 127))
        #expect(Color.clear.over(.white) == .white)
        #expect(Color.white.over(.clear) == .white)
        #expect(Color.clear.over(.clear) == .clear)
        #expect(half.over(.clear) == half)
        #expect(Color.black.over(half) == .black)
    }

    @Test("premultiplying a colour rounds to the nearest")
    func premultiplied() {
        let color = Color(red: 255, green: 100, blue: 1, alpha: 127).premultiplied
        #expect(color == Color(red: 127, green: 50, blue: 0, alpha: 127))
    }
}
