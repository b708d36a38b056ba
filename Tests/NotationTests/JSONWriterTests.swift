import Foundation
import Notation
import Support
import System
import Testing

@Suite struct JSONWriterTests {
    @Test("a JSON record is one line with members in the order of the calls")
    func compact() {
        var writer = JSONWriter()
        writer.object { record in
            record.member("type", "item")
            record.member("index", 17)
            record.member("scale", 1.5)
            record.member("alpha", true)
            record.member("extra", ["z": 1, "a": [nil]])
            record.object("src") { $0.member("n", 0) }
            record.array("outputs") { outputs in
                outputs.write("x")
                outputs.object { $0.member("e", JSON.array([])) }
                outputs.writeNull()
            }
        }
        writer.endLine()
        writer.write(false)
        writer.endLine()
        #expect(
            String(decoding: writer.take(), as: UTF8.self) == """
                {"type":"item","index":17,"scale":1.5,"alpha":true,"extra":{"z":1,"a":[null]},\
                "src":{"n":0},"outputs":["x",{"e":[]},null]}
                false

                """)
        #expect(writer.bytes.isEmpty)
    }

    @Test("any character in JSON text is read back here and in Foundation")
    func texts() throws {
        let characters = (0..<0x80).map { Character(Unicode.Scalar(UInt8($0))) } + ["é", "€", "😀"]
        for character in characters {
            for before in 0..<18 {
                // Characters whose codes are next to those of special characters.
                let around = "!#[]~a"
                let text =
                    String(repeating: around, count: 3).prefix(before) + String(character) + around
                var writer = JSONWriter()
                writer.write(JSON.array([.string(String(text))]))
                let bytes = writer.take()
                #expect(try parse(bytes)[0]?.stringValue == String(text))
                let theirs = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String]
                #expect(theirs == [String(text)])
            }
        }
    }

    @Test("pretty JSON is read back as the same value")
    func pretty() throws {
        let value: JSON = ["a": [1, [:], []], "b": ["c": "d"]]
        var writer = JSONWriter(.pretty)
        writer.write(value)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(
            text == """
                {
                  "a": [
                    1,
                    {},
                    []
                  ],
                  "b": {
                    "c": "d"
                  }
                }
                """)
        #expect(try parse(text) == value)
    }

    @Test("JSON output escapes cursor and text direction characters")
    func hidden() throws {
        for value in Array(UInt32(0)...0x300) + Array(0x2000...0x2100) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = JSON.string("a\(Character(scalar))b").text
            #expect(!text.unicodeScalars.contains { $0.isHidden })
            #expect(
                try parse(text).stringValue?.unicodeScalars.map(\.value) == [0x61, value, 0x62])
        }
        #expect(
            JSON.string("\u{1B}\u{7F}\u{9B}\u{2028}\u{202E}\n").text
                == #""\u001b\u007f\u009b\u2028\u202e\n""#)
    }

    @Test(
        "bytes that are not UTF-8 become the replacement character",
        arguments: [
            ([0x61, 0xFF, 0x62], "\"a\u{FFFD}b\""), ([0xE2, 0x82], "\"\u{FFFD}\""),
            ([0xED, 0xA0, 0x80], "\"\u{FFFD}\u{FFFD}\u{FFFD}\""), ([0xC3, 0xA9], "\"é\""),
            ([0xF0, 0x9F, 0x98, 0x80], "\"😀\""), ([0xC0, 0x80], "\"\u{FFFD}\u{FFFD}\""),
            ([0xF4, 0x90, 0x80, 0x80], "\"\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\""),
            ([0x22, 0x5C, 0x0A], #""\"\\\n""#), ([0xE0, 0x80, 0x41], "\"\u{FFFD}\u{FFFD}A\""),
            ([0xF0, 0x80], "\"\u{FFFD}\u{FFFD}\""),
        ] as [([UInt8], String)])
    func invalid(bytes: [UInt8], text: String) {
        var writer = JSONWriter()
        writer.write(utf8: bytes.span)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test("UTF-8 is repaired as in the standard library")
    func repairAgrees() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<2_000 {
            let bytes =
                (0..<8).map { _ in
                    [0x41, 0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xA0, 0xF0, 0xF4, 0x90, 0xFF]
                        .randomElement(using: &random) ?? 0
                } as [UInt8]
            var writer = JSONWriter()
            writer.write(utf8: bytes.span)
            #expect(
                String(decoding: writer.bytes, as: UTF8.self)
                    == JSON.string(String(decoding: bytes, as: UTF8.self)).text)
        }
    }

    @Test("JSON numbers have the fewest digits that are read back")
    func doubles() {
        let table: [(Double, String)] = [
            (0, "0"), (-0.0, "0"), (2, "2"), (-3.5, "-3.5"), (0.1, "0.1"), (1e-7, "1e-07"),
            (1e300, "1e+300"), (9_007_199_254_740_992, "9007199254740992.0"), (.infinity, "null"),
            (.nan, "null"),
        ]
        for (value, text) in table {
            var writer = JSONWriter()
            writer.write(value)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
        }
        #expect(JSON.number(JSONNumber(UInt64.max)).text == "18446744073709551615")
    }
}
