import Flags
import Notation
import Testing

@Suite struct ValueTests {
    @Test(
        "sizes are powers of 1024",
        arguments: [
            ("0", 0), ("1K", 1024), ("512M", 512 << 20), ("1g", 1 << 30), ("2T", 2 << 40),
            ("1.5K", 1536), ("20MiB", 20 << 20), ("20mb", 20 << 20), ("", nil), ("K", nil),
            ("-1", nil), ("5B", nil), ("MB", nil), ("1e3", nil), ("0x10", nil), ("1.5", nil),
            ("9999999999G", nil), ("1 M", nil), ("+5", nil), ("iB", nil), ("nan", nil),
            ("9223372036854775808", nil), ("..K", nil), ("1.2.3K", nil),
        ] as [(String, Int?)])
    func bytes(text: String, value: Int?) {
        #expect(Syntax.bytes(0...Int.max).parse(text) == value)
    }

    @Test(
        "times are seconds unless they have a unit",
        arguments: [
            ("30", 30), ("30s", 30), ("0.5", 0.5), ("500MS", 0.5), ("5m", 300), ("1.5h", 5400),
            ("", nil), ("s", nil), ("5 s", nil), ("-5s", nil), ("1e3s", nil), ("25h", nil),
            ("1ms", nil), ("5d", nil),
        ] as [(String, Double?)])
    func times(text: String, seconds: Double?) {
        let syntax = Syntax.seconds(0.01...86_400)
        #expect(syntax.parse(text) == seconds.map { .seconds($0) })
        #expect((syntax.shape.problem(text) == nil) == (seconds != nil))
    }

    @Test(
        "numbers of things are powers of 1000",
        arguments: [("50M", 50_000_000), ("1k", 1000), ("7", 7), ("1T", nil), ("2.5K", 2500)]
            as [(String, Int?)])
    func counts(text: String, value: Int?) {
        #expect(Syntax.count(0...Int.max).parse(text) == value)
    }

    @Test(
        "a list of whole numbers has each number once",
        arguments: [
            ("1", [1]), ("1,2,4", [1, 2, 4]), ("2, 1,2", [2, 1]), ("", nil), ("1,", nil),
            ("0", nil), ("9", nil), ("1;2", nil), ("x", nil),
        ] as [(String, [Int]?)])
    func wholes(text: String, value: [Int]?) {
        #expect(Syntax.wholes(1...8).parse(text) == value)
    }

    @Test(
        "a tolerance is a number or a share",
        arguments: [
            ("0", .count(0)), ("7", .count(7)), ("0.5%", .percent(0.5)), ("101%", nil),
            ("%", nil), ("-1", nil), ("x", nil),
        ] as [(String, Tolerance?)])
    func tolerances(text: String, value: Tolerance?) {
        #expect(Syntax.tolerance.parse(text) == value)
    }

    @Test("a tolerance is exceeded by one more than it allows")
    func passed() {
        for limit in [Tolerance.count(2), .percent(20)] {
            #expect(!limit.isExceeded(by: 2, of: 10) && limit.isExceeded(by: 3, of: 10))
        }
        #expect(!Tolerance.percent(0).isExceeded(by: 0, of: 0))
    }

    @Test("a list names each word once, and all is every word")
    func lists() {
        let syntax = Syntax.words(["a", "b", "c"])
        #expect(syntax.parse("c, a,c") == ["c", "a"])
        #expect(
            syntax.parse("b,all") == ["a", "b", "c"] && syntax.print(["a", "b", "c"]) == "all")
        for text in ["", "a,", ",a", "a,,b", "d"] { #expect(syntax.parse(text) == nil) }
    }

    @Test("switches, percentages and numbers are parsed")
    func others() {
        #expect(Syntax.toggle.parse("ON") == true && Syntax.toggle.parse("no") == false)
        #expect(Syntax.toggle.parse("") == nil)
        #expect(Syntax.percent(0...100).parse("10%") == 10)
        #expect(Syntax.percent(0...100).parse("7.5") == 7.5)
        for text in ["-1%", "%", "101%", "1%%"] {
            #expect(Syntax.percent(0...100).parse(text) == nil)
        }
        #expect(Syntax.decimal(-1...1).parse("-0.5") == -0.5)
        for text in ["1e3", "inf", "nan", ".", "-", "1-2", "2", ""] {
            #expect(Syntax.decimal(0...1).parse(text) == nil)
        }
        #expect(Syntax.whole(0...9).parse("007") == 7 && Syntax.whole(0...9).parse("10") == nil)
    }

    @Test("every syntax refuses an invalid value with its own message")
    func wanted() {
        var sentences: Set<String> = []
        for flag in Sample.paint.flags where flag.shape.wanted != "a text" {
            let nonsense = flag.shape.files == .none ? "non\u{1B}sense" : ""
            let problem = flag.shape.problem(nonsense)?.message
            #expect(problem?.contains("\u{1B}") == false)
            if let problem { sentences.insert(problem) }
        }
        #expect(sentences.count == 11)
        for (shape, text, words) in [
            (Syntax.decimal(0...10).shape, "x", "\"x\" is not a number from 0 to 10"),
            (Syntax.decimal(1...Double.infinity).shape, "x", "\"x\" is not a number, at least 1"),
            (Syntax.word(["none"]).shape, "process", "\"process\" is not none"),
            (Syntax.factors([1, 2]).shape, "1,x", "\"x\" is not one of 1, 2"),
            (Syntax.wholes(8...1024).shape, "32,4", "\"4\" is not a whole number from 8 to 1024"),
            (Syntax.words(["a", "b"]).shape, "a,all,c", "\"c\" is not one of a, b, all"),
            (
                Syntax.lengths(0...9, counts: [1, 2]).shape, "1,2,3",
                "\"1,2,3\" is not 1 or 2 numbers from 0 to 9, separated by commas"
            ),
        ] {
            #expect(shape.problem(text)?.message == words, "\(text)")
        }
    }
}

@Suite struct SpellingTests {
    @Test(
        "the nearest word is suggested, and none if nothing is near",
        arguments: [
            ("layuot", "layout"), ("scael", "scale"), ("lay", "layout"), ("LAYOUT", "layout"),
            ("xyz", nil), ("", nil), ("outputs", "output"), ("s", nil),
        ] as [(String, String?)])
    func nearest(word: String, meant: String?) {
        #expect(Spelling.nearest(to: word, among: ["layout", "scale", "output"]) == meant)
    }
}
