import Artwork
import Testing

@Suite("Text blocks")
struct TextBlockTests {
    private let style = TextStyle(size: 16)

    @Test("alignment moves the lines and follows the text direction")
    func alignment() throws {
        let text = "a long first line\nb"
        func second(_ alignment: TextAlignment, _ text: String) throws -> (Double, Double) {
            let block = try TextBlock(text, style: style, maxWidth: 400, alignment: alignment)
            return (block.lines[1].x, block.width - block.lines[1].width)
        }
        #expect(try second(.leading, text).0 == 0)
        let (middle, room) = try second(.center, text)
        #expect(middle == room / 2)
        let (end, rest) = try second(.trailing, text)
        #expect(end == rest)
        let (hebrew, right) = try second(.leading, "שלום לכולם\nב")
        #expect(hebrew == right && hebrew > 0)
    }

    @Test("the direction is detected from the text unless one is given")
    func direction() throws {
        #expect(try TextBlock("abc", style: style).direction == .leftToRight)
        #expect(try TextBlock("שלום", style: style).direction == .rightToLeft)
        #expect(try TextBlock("123 مرحبا", style: style).direction == .rightToLeft)
        let forced = try TextBlock("abc", style: style, direction: .rightToLeft)
        #expect(forced.direction == .rightToLeft)
        #expect(forced.lines[0].direction == .rightToLeft)
    }

    @Test("text is normalised: single spaces, no control characters, a maximum length")
    func plain() {
        #expect(PlainText("  a\t\u{0}b \r\n c\u{7F} ").text == "a b\nc")
        #expect(PlainText("a\n\nb", keepsLines: false).text == "a b")
        #expect(PlainText("a\u{A0}b").text == "a\u{A0}b")
        let long = PlainText(String(repeating: "x ", count: 9000))
        #expect(long.text.unicodeScalars.count <= PlainText.scalarsLimit + 1)
    }
}
