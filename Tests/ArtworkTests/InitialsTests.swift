import Artwork
import Codecs
import Foundation
import Raster
import Support
import Testing
import Theming

@Suite("Initials")
struct InitialsTests {
    @Test(
        "the initials of a text are its first two characters",
        arguments: [
            ("JD", "JD"), ("John", "Jo"), ("j", "j"), (" J D ", "JD"), ("", nil), ("  ", nil),
            ("\u{200E}\u{0007}", nil), ("e\u{301}a\u{308}x", "e\u{301}a\u{308}"),
            ("👩‍👩‍👧‍👦🇩🇪x", "👩‍👩‍👧‍👦🇩🇪"), ("李小龍", "李小"), ("हिन्दी", "हिन्दी"),
        ] as [(String, String?)])
    func text(text: String, expected: String?) {
        #expect(Initials(text)?.text == expected)
    }

    @Test(
        "the initials of a label are the first characters of its first and last words",
        arguments: [
            ("John Doe", "JD"), ("john ronald reuel tolkien", "JT"), ("acme", "A"),
            ("(Acme) \"bank\"", "AB"), ("Marks & Spencer", "MS"), ("Tom &", "T"),
            ("иван петров", "ИП"), ("żaneta łoś", "ŻŁ"), ("محمد علي", "م\u{200C}ع"), ("李 小龍", "李"),
            ("ßeta test", "ẞT"), ("გიორგი ბერიძე", "გბ"), ("ĳssel", "Ĳ"), ("🦊 fox", "F"),
            ("3M company", "3C"), ("&", "&"), ("", nil), (" \n", nil), ("ǆ a", "ǅA"),
        ] as [(String, String?)])
    func label(label: String, expected: String?) {
        #expect(Initials.from(label: label)?.text == expected)
    }

    @Test("the initials of every name in the table follow the rule next to it")
    func names() throws {
        let file = Repository.root.appending(path: "Tests/Fixtures/Initials/names.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        var count = 0
        for line in lines where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t").map(String.init)
            try #require(columns.count == 3, "\(line)")
            let initials = Initials.from(label: columns[0])?.text
            #expect(initials == columns[1], "\(columns[0]): \(columns[2])")
            count += 1
        }
        #expect(count > 40)
    }

    @Test(
        "Arabic initials are drawn as two letters, however they are given",
        arguments: ["مع", "م\u{200C}ع"])
    func arabic(text: String) throws {
        let initials = try #require(Initials(text))
        #expect(initials.text == "م\u{200C}ع" && Initials(initials.text) == initials)
        let fitted = try EmblemArtwork().initials(initials, style(80, scale: 2))
        // An empty column separates the letters.
        let found = fitted.pixels.inkBounds()
        let ink = try #require(found)
        var emptyColumns = 0
        for x in ink.x..<ink.x + ink.width {
            let isEmpty = (0..<fitted.pixels.height).allSatisfy {
                fitted.pixels.rgba(x, $0)[3] == 0
            }
            if isEmpty { emptyColumns += 1 }
        }
        #expect(emptyColumns > 0)
    }

    @Test("combining marks on one letter are bounded")
    func heap() throws {
        let heap = "a" + String(repeating: "\u{301}", count: 10_000)
        #expect(try #require(Initials(heap)).text.unicodeScalars.count <= 16)
        _ = try EmblemArtwork().initials(#require(Initials(heap)), style()).x
    }

    @Test(
        "initials are centred within a pixel in every script",
        arguments: [
            "JD", "HH", "W", "MW", "12", "ИЖ", "ΩΛ", "مع", "אב", "李小", "한국", "กข", "हि", "🦊😀", "é",
            "gy", "--", "ﷺ",
        ])
    func centred(text: String) throws {
        let artwork = EmblemArtwork()
        for (height, scale) in [(24.0, 1.0), (40, 1), (48, 2), (80, 3)] {
            let style = style(height, scale: scale)
            let fitted = try artwork.initials(#require(Initials(text)), style)
            #expect(fitted.kind == .text || text == "🦊😀" && fitted.kind == .coloredText)
            let side = style.height
            #expect(fitted.pixels.size == PixelSize(width: side, height: side))
            // Missing characters are drawn as faint boxes, whose position is not checked.
            let initials = try #require(Initials(text))
            guard try !artwork.lacksGlyphs(for: initials) else { continue }
            let ink = fitted.pixels.inkBounds()
            let bounds = try #require(ink)
            let across = Double(2 * bounds.x + bounds.width - side) / 2
            let down = Double(2 * bounds.y + bounds.height - side) / 2
            #expect(abs(across) <= 1, "\(text) at \(side): \(across)")
            #expect(abs(down) <= 1, "\(text) at \(side): \(down)")
            #expect(Double(bounds.width) <= Double(side) * 0.72)
            #expect(Double(bounds.height) <= Double(side) * 0.72)
        }
    }

    @Test("text without a character has no initials, and errors name the correction")
    func nothing() {
        #expect(Initials(" ") == nil)
        let missing = FontError.missing(file: "a.otf", package: "fonts-inter")
        #expect(ArtworkError.fonts(missing).description.contains("fonts-inter"))
        #expect(ArtworkError.drawing(.truncated).description == DecodeError.truncated.description)
    }

    @Test("characters without a font are known before they are drawn")
    func missingGlyphs() throws {
        let artwork = EmblemArtwork()
        #expect(try !artwork.lacksGlyphs(for: #require(Initials("JÉ"))))
        #expect(try !artwork.lacksGlyphs(for: #require(Initials("ИЖ"))))
        #expect(try artwork.lacksGlyphs(for: #require(Initials("\u{13000}"))))
    }
}
