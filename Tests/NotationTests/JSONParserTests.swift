import Foundation
import Notation
import System
import Testing

@Suite struct JSONParserTests {
    @Test(
        "JSON that RFC 8259 allows is parsed",
        arguments: [
            ("null", JSON.null), (" true ", true), ("false", false), ("\"\"", ""), ("[]", []),
            ("{}", [:]), ("[ 1 , -2 ]", [1, -2]), ("{\"a\" : {\"b\":[null]}}", ["a": ["b": [nil]]]),
            ("\u{FEFF}{}", [:]),
            ("\"\\u0041\\n\\/\\\"\\\\\\b\\f\\r\\t\"", "A\n/\"\\\u{8}\u{C}\r\t"),
            ("\"\\uD83D\\uDE00 é 😀\"", "😀 é 😀"), ("\"\\u0000\"", "\u{0}"), ("1.5", 1.5),
        ] as [(String, JSON)])
    func reads(text: String, value: JSON) throws {
        #expect(try parse(text) == value)
    }

    @Test(
        "text that is not JSON is refused with its position",
        arguments: [
            ("", 1, 1, .endOfText), ("[1,\n 2", 2, 3, .endOfText),
            ("[1,]", 1, 4, .unexpected("']'", wanted: "a value")),
            ("{\"a\":1,}", 1, 8, .unexpected("'}'", wanted: "a name in quotes")),
            ("{\"a\" 1}", 1, 6, .unexpected("'1'", wanted: "a colon")),
            ("{\"a\":1 \"b\"}", 1, 8, .unexpected("'\"'", wanted: "a comma or a brace")),
            ("[1 2]", 1, 4, .unexpected("'2'", wanted: "a comma or a bracket")),
            ("{} {}", 1, 4, .textAfterValue), ("01", 1, 1, .badNumber), ("-", 1, 1, .badNumber),
            ("1.", 1, 1, .badNumber), ("1e", 1, 1, .badNumber), ("1e+x", 1, 1, .badNumber),
            ("+1", 1, 1, .unexpected("'+'", wanted: "a value")), ("1.2.3", 1, 1, .badNumber),
            ("NaN", 1, 1, .unexpected("'N'", wanted: "a value")),
            ("nul", 1, 1, .endOfText), ("nulx", 1, 1, .unexpected("'n'", wanted: "a value")),
            ("\"a\nb\"", 1, 3, .controlCharacter), ("\"\\x\"", 1, 2, .badEscape),
            ("\"\\n\u{1}\"", 1, 4, .controlCharacter), ("\"\\u12G4\"", 1, 2, .badEscape),
            ("\"\\u12", 1, 6, .endOfText), ("\"\\", 1, 3, .endOfText), ("\"ab", 1, 4, .endOfText),
            ("\"\\na", 1, 5, .endOfText), ("\"\\uD800x\"", 1, 2, .loneSurrogate),
            ("\"\\uDC00\"", 1, 2, .loneSurrogate), ("\"\\uD800\\u0041\"", 1, 2, .loneSurrogate),
            ("\"é😀\" x", 1, 6, .textAfterValue),
            ("[\r\n\r\n?", 3, 1, .unexpected("'?'", wanted: "a value")),
            ("\u{FEFF}x", 1, 1, .unexpected("'x'", wanted: "a value")),
            ("[\r1,\u{1B}]", 2, 3, .unexpected("'\\u{1b}'", wanted: "a value")),
            ("{\"a\":1,\n\"a\":2}", 2, 1, .duplicateName("a")),
        ] as [(String, Int, Int, JSONError.Reason)])
    func refuses(text: String, line: Int, column: Int, reason: JSONError.Reason) {
        #expect(throws: JSONError(line: line, column: column, reason: reason)) { try parse(text) }
        #expect(
            JSONError(line: line, column: column, reason: reason).description.hasPrefix(
                "line \(line), "))
    }

    @Test("every prefix of a JSON document is refused without a crash")
    func prefixes() throws {
        let text = Array(#"{"a":[1,-2.5e3,true,false,null,"x\u00e9\n"],"b":{"c":"é"}}"#.utf8)
        for end in 0..<text.count {
            #expect(throws: JSONError.self) { try parse(Array(text[..<end])) }
        }
        _ = try parse(text)
    }

    @Test("damaged JSON is refused like in Foundation, and parsed JSON is written back")
    func damage() throws {
        var random = SeededRandom(seed: 7)
        let text = Array(#"{"a":[1,-2.5e3,true,null,"x\u00e9"],"b":{"c":"é😀"}}"#.utf8)
        var read = 0
        for _ in 0..<5_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let value = try? parse(bytes)
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes))
            #expect((value == nil) == (theirs == nil), "\(String(decoding: bytes, as: UTF8.self))")
            guard let value else { continue }
            read += 1
            #expect(try parse(value.text) == value)
        }
        #expect((100..<4_900).contains(read))
    }

    @Test("invalid UTF-8 in JSON is refused at its position")
    func invalidUTF8() {
        let bytes: [UInt8] = Array("[\n\"".utf8) + [0xC0, 0xAF] + Array("\"]".utf8)
        #expect(throws: JSONError(line: 2, column: 2, reason: .invalidUTF8)) {
            try parse(bytes)
        }
    }

    @Test("depth, size and number of JSON values are bounded")
    func limits() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        _ = try parse(deep)
        #expect(throws: JSONError(line: 1, column: 65, reason: .tooDeep(limit: 64))) {
            try parse("[" + deep + "]")
        }
        #expect(JSONLimits(depth: 1_000_000).depth == 512)
        #expect(throws: JSONError(line: 1, column: 1, reason: .tooLarge(limit: 3))) {
            try parse("1234", limits: JSONLimits(bytes: 3))
        }
        #expect(throws: JSONError(line: 1, column: 6, reason: .tooManyValues(limit: 3))) {
            try parse("[1,2,3]", limits: JSONLimits(values: 3))
        }
        let endless = Array(repeating: UInt8(ascii: "["), count: 1 << 20)
        #expect(throws: JSONError.self) { try parse(endless) }
    }

    @Test("a duplicate JSON name is found among many")
    func duplicateAmongMany() {
        let names = (0..<40).map { "\"n\($0)\":1" } + ["\"n20\":1"]
        #expect(throws: JSONError.self) { try parse("{" + names.joined(separator: ",") + "}") }
        #expect(throws: Never.self) {
            try parse("{" + names.dropLast().joined(separator: ",") + "}")
        }
    }

    @Test("JSON members keep their order, and names are compared byte by byte")
    func order() throws {
        let value = try parse("{\"b\":1,\"a\":2,\"e\u{301}\":3,\"\u{E9}\":4}")
        #expect(value.members?.map(\.value.intValue) == [1, 2, 3, 4])
    }

    @Test("each JSON value knows its line")
    func lines() throws {
        let text = "{\n \"a\": [\n  1,\n  {\"b\":\n   2}],\n \"c\":\r\n3}"
        let document = try JSONParser.document(Array(text.utf8).span)
        #expect(document.line(of: []) == 1)
        #expect(document.line(of: ["a"]) == 2)
        #expect(document.line(of: ["a", "0"]) == 3)
        #expect(document.line(of: ["a", "1"]) == 4)
        #expect(document.line(of: ["a", "1", "b"]) == 5)
        #expect(document.line(of: ["c"]) == 7)
        #expect(document.line(of: ["c", "d"]) == nil)
        #expect(document.line(of: ["a", "9"]) == nil)
        #expect(document.line(of: ["z"]) == nil)
        #expect(document.root["a"]?[1]?["b"]?.intValue == 2)
    }

    @Test("JSON numbers keep their digits")
    func numbers() throws {
        for text in ["0", "-0", "1.0", "1e2", "123456789012345678901234567890", "0.10", "1E+400"] {
            #expect(try parse(text).text == text)
        }
        #expect(try parse("1e2").intValue == 100)
        #expect(try parse("1.5").intValue == nil)
        #expect(try parse("1e30").intValue == nil)
        #expect(try parse("1e400").doubleValue == nil)
        #expect(try parse("9223372036854775807").intValue == .max)
        #expect(try parse("0.1").doubleValue == 0.1)
    }
}

@Suite struct JSONAccessTests {
    @Test("a JSON accessor returns only values of its type")
    func accessors() {
        let value: JSON = ["s": "x", "n": 2, "b": true, "z": nil, "l": [1.5, 2], "o": [:]]
        #expect(value["s"]?.stringValue == "x" && value["s"]?.intValue == nil)
        #expect(value["n"]?.intValue == 2 && value["n"]?.stringValue == nil)
        #expect(value["b"]?.boolValue == true && value["n"]?.boolValue == nil)
        #expect(value["z"]?.isNull == true && value["none"] == nil && JSON.null["a"] == nil)
        #expect(
            value["l"]?[0]?.doubleValue == 1.5 && value["l"]?[2] == nil && value["l"]?[-1] == nil)
        #expect(value["l"]?.elements?.count == 2 && value["l"]?.members == nil)
        #expect(value["o"]?.members?.isEmpty == true && value["o"]?.elements == nil)
        #expect(value[path: ["l", "1"]]?.intValue == 2 && value[path: ["l", "x"]] == nil)
        #expect(value[0] == nil)
        #expect(
            value.members?.map(\.value.kind)
                == ["a string", "a number", "a boolean", "null", "an array", "an object"])
    }
}

func parse(_ text: String, limits: JSONLimits = .standard) throws(JSONError) -> JSON {
    try JSONParser.parse(Array(text.utf8).span, limits: limits)
}

func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    try JSONParser.parse(bytes.span)
}
