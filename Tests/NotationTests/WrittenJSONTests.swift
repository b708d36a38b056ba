import Notation
import Testing

@Suite("JSON in the written form")
struct WrittenJSONTests {
    /// A record with every kind of value.
    private struct Sample: Equatable {
        var name: String
        var number: Int
        var scale: Double
        var isDark: Bool?
        var texts: [String]
        var extra: [JSON.Member]

        func write(into json: inout JSONWriter) {
            json.object { json in
                json.member("name", name)
                json.member("number", number)
                json.member("scale", JSON.number(ofScale: scale))
                if let isDark { json.member("dark", isDark) }
                json.array("texts") { json in
                    for text in texts { json.write(text) }
                }
                json.object("extra") { json in
                    for member in extra { json.member(member.name, member.value) }
                }
            }
        }

        var bytes: [UInt8] {
            var json = JSONWriter()
            write(into: &json)
            return json.take()
        }

        init(
            _ name: String, _ number: Int, _ scale: Double, isDark: Bool?, _ texts: [String],
            _ extra: [JSON.Member]
        ) {
            (self.name, self.number, self.scale) = (name, number, scale)
            (self.isDark, self.texts, self.extra) = (isDark, texts, extra)
        }

        init(_ bytes: [UInt8]) throws(WrittenJSON.Otherwise) {
            var json = WrittenJSON(bytes.span)
            try json.beginObject()
            name = try json.string("name")
            number = try json.int("number")
            try json.name("scale")
            scale = try json.scale()
            isDark = json.has("dark") ? try json.bool() : nil
            texts = []
            try json.name("texts")
            try json.beginArray()
            while try json.nextElement() { texts.append(try json.string()) }
            extra = []
            try json.name("extra")
            try json.beginObject()
            while let name = try json.nextName() {
                extra.append(JSON.Member(name, try json.value()))
            }
            try json.endObject()
            guard json.isAtEnd else { throw WrittenJSON.Otherwise() }
        }
    }

    private static let samples = [
        Sample("plain", 0, 2, isDark: nil, [], []),
        Sample("", .min, 1.5, isDark: true, ["a"], [JSON.Member("", nil)]),
        Sample(
            "é\n\"\\/\u{7F}\u{202E}😀", .max, 0.1, isDark: false, ["e\u{301}", ",", "}]"],
            [JSON.Member("ü{", ["a": [1, "]", ["b": -2.5]], "c": true]), JSON.Member("x", "\"")]),
        Sample("scale", -7, 1e300, isDark: nil, ["", ""], [JSON.Member("n", 1e-7)]),
    ]

    @Test("JSON in the written form is read back unchanged", arguments: samples.indices)
    func same(index: Int) throws {
        let sample = Self.samples[index]
        #expect(try Sample(sample.bytes) == sample)
    }

    @Test(
        "JSON in the written form is recognised, and any changed byte is not",
        arguments: samples.indices)
    func laws(index: Int) throws {
        let bytes = Self.samples[index].bytes
        var changed: [[UInt8]] = [bytes + [0x20], bytes + bytes, []]
        for place in bytes.indices {
            changed.append(Array(bytes[..<place]))
            changed.append(Array(bytes[..<place] + bytes[(place + 1)...]))
            for byte in "0 1-\"\\,:{}[]etu.\n".utf8 + [0, 0x7F, 0xC3, 0xFF] {
                changed.append(bytes[..<place] + [byte] + bytes[place...])
                changed.append(bytes[..<place] + [byte] + bytes[(place + 1)...])
            }
        }
        var known = 0
        for text in changed {
            do throws(WrittenJSON.Otherwise) {
                let bytes = try Sample(text).bytes
                #expect(bytes == text, "\(String(decoding: text, as: UTF8.self))")
                known += 1
            } catch {
                continue
            }
        }
        // A changed letter inside a text is a valid text too.
        #expect(known > 0)
    }

    @Test(
        "equivalent JSON in another form is not recognised as written",
        arguments: [
            "01", "-0", "+1", "1.0", "1e2", "9223372036854775808", "-", "", " 1", "--1", "1-",
        ])
    func numbers(text: String) {
        #expect(throws: WrittenJSON.Otherwise.self) {
            var json = WrittenJSON(Array(text.utf8).span)
            _ = try json.int()
            guard json.isAtEnd else { throw WrittenJSON.Otherwise() }
        }
    }

    @Test("large numbers in the written form have plain digits")
    func scales() throws {
        for (text, isKnown) in [
            ("2", true), ("1.5", true), ("1e+300", true), ("2.0", false), ("1e300", false),
            ("inf", false), ("nan", false), ("0x1p1", false), ("1e999", false), ("", false),
        ] {
            let bytes = Array(text.utf8)
            var json = WrittenJSON(bytes.span)
            do throws(WrittenJSON.Otherwise) {
                let scale = try json.scale()
                #expect(isKnown && JSON.number(ofScale: scale).text == text)
            } catch {
                #expect(!isKnown, "\(text)")
            }
        }
    }
}
