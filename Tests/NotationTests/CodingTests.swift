import Notation
import System
import Testing

@Suite struct Base64Tests {
    @Test(
        "Base64 matches the examples of RFC 4648 in both directions",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func examples(plain: String, text: String) throws {
        #expect(encode(Array(plain.utf8)) == text)
        #expect(try decode(text, .strict) == Array(plain.utf8))
        #expect(try decode(String(text.prefix { $0 != "=" }), .lenient) == Array(plain.utf8))
    }

    @Test("Base64 decoding reverses encoding")
    func inverse() throws {
        var random = SeededRandom(seed: 3)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(try decode(encode(bytes), .strict) == bytes)
            #expect(try decode(encode(bytes), .lenient) == bytes)
        }
    }

    @Test(
        "strict Base64 refuses what lenient Base64 accepts",
        arguments: [("Zm9v YmFy", "foobar"), ("Zg", "f"), ("Zh==", "f"), ("Zm\n9v", "foo")])
    func manners(text: String, plain: String) throws {
        #expect(throws: Base64Error.self) { try decode(text, .strict) }
        #expect(try decode(text, .lenient) == Array(plain.utf8))
    }

    @Test("only lenient Base64 accepts the URL alphabet")
    func urlAlphabet() throws {
        #expect(try decode("-_-_", .lenient) == [0xFB, 0xFF, 0xBF])
        #expect(throws: Base64Error.badCharacter(offset: 0)) { try decode("-_-_", .strict) }
        #expect(try decode("+/+/", .strict) == [0xFB, 0xFF, 0xBF])
        #expect(throws: Base64Error.badCharacter(offset: 1)) { try decode("A_AA", .strict) }
    }

    @Test(
        "text that is not Base64 is refused in both modes",
        arguments: ["A", "A===", "Zg=a", "Z!==", "Zg===", "=", "Zg==="])
    func refused(text: String) {
        #expect(throws: Base64Error.self) { try decode(text, .strict) }
        #expect(throws: Base64Error.self) { try decode(text, .lenient) }
    }

    @Test("Base64 with incomplete padding is refused")
    func halfPadding() {
        #expect(throws: Base64Error.incomplete) { try decode("Zg=", .lenient) }
        #expect(throws: Base64Error.spareBits) { try decode("Zh==", .strict) }
        for error in [
            Base64Error.incomplete, .spareBits, .badCharacter(offset: 1), .tooLarge(limit: 2),
        ] {
            #expect(error.description.contains("Base64"))
        }
    }

    @Test("Base64 with more bytes than the limit is refused")
    func limit() throws {
        #expect(try decode("Zm9v", .strict, limit: 3).count == 3)
        #expect(throws: Base64Error.tooLarge(limit: 2)) {
            try decode("Zm9v", .strict, limit: 2)
        }
        #expect(throws: Base64Error.tooLarge(limit: 3)) {
            try decode("Zm9vYg==", .strict, limit: 3)
        }
    }

    private func decode(
        _ text: String, _ manner: Base64.Manner, limit: Int = .max
    ) throws(Base64Error) -> [UInt8] {
        try Base64.decode(Array(text.utf8).span, manner: manner, limit: limit)
    }

    private func encode(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes.span)
    }
}

@Suite struct TextTests {
    @Test(
        "percent signs with two digits are decoded, and others are kept",
        arguments: [
            ("a%20b", "a b"), ("%C3%a9", "é"), ("%", "%"), ("%4", "%4"), ("%zz%41", "%zzA"),
            ("%2541", "%41"), ("plain", "plain"), ("%FF", "\u{FFFD}"),
        ])
    func percent(text: String, decoded: String) {
        #expect(PercentCoding.decoded(text) == decoded)
    }

    @Test("text for a terminal contains no control character")
    func printable() {
        #expect(
            PrintableText.escaped("a\u{1B}[31m\n\t\r\u{202E}é\u{9B}")
                == #"a\u{1b}[31m\n\t\r\u{202e}é\u{9b}"#)
        let bytes: [UInt8] = [0x61, 0xFF, 0xE2, 0x82, 0x0A, 0xC3, 0xA9]
        let text = PrintableText.escaped(bytes.span)
        #expect(text == #"a\xff\xe2\x82\né"#)
        #expect(PrintableText.escaped("abcdef", limit: 4) == "abc…")
        #expect(PrintableText.escaped("abcd", limit: 4) == "abcd")
        #expect(PrintableText.escaped("abcd", limit: 0) == "…")
    }

    @Test("hexadecimal digits are read in both cases and written in lower case")
    func hexadecimal() {
        for digits in ["0123456789abcdef", "0123456789ABCDEF"] {
            #expect(digits.utf8.map { Hexadecimal.value(of: $0) } == (0..<16).map { UInt8($0) })
        }
        #expect(Hexadecimal.value(of: UInt8(ascii: "g")) == nil)
        #expect(Hexadecimal.text(0x1B, width: 4) == "001b")
    }
}
