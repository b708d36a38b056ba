import Flags
import Notation
import Testing

@Suite struct ValueTests {
    @Test(
        "sizes are powers of 1024",
        arguments: [
            ("0", 0), ("1024", 1024), ("1K", 1024), ("512M", 512 << 20), ("1g", 1 << 30),
            ("2T", 2 << 40),
            ("1.5K", 1536), ("20MiB", 20 << 20), ("0.5G", 1 << 29), ("", nil), ("K", nil),
            ("-1", nil),
            ("1MB", 1 << 20), ("20mb", 20 << 20), ("1.5GB", 3 << 29), ("5B", nil), ("MB", nil),
            ("1e3", nil), ("0x10", nil), ("1.5", nil), ("9999999999G", nil),
            ("1 M", nil),
            ("+5", nil), ("iB", nil), ("5iB", nil), ("nan", nil), ("9223372036854775808", nil),
            ("..K", nil), ("1.2.3K", nil),
        ] as [(String, Int?)])
    func bytes(text: String, value: Int?) {
        #expect(ValueReader.bytes(text, in: 0...Int.max) == value)
    }

    @Test(
        "times are seconds unless they have a unit",
        arguments: [
            ("30", 30), ("30s", 30), ("0.5", 0.5), ("500ms", 0.5), ("500MS", 0.5), ("5m", 300),
            ("1.5h", 5400), ("", nil), ("s", nil), ("ms", nil), ("5 s", nil), ("-5s", nil),
            ("1e3s", nil), ("25h", nil), ("1ms", nil), ("5d", nil),
        ] as [(String, Double?)])
    func times(text: String, seconds: Double?) {
        #expect(ValueReader.seconds(text, in: 0.01...86_400) == seconds)
        #expect((ValueKind.seconds(0.01...86_400).problem(with: text) == nil) == (seconds != nil))
    }

    @Test(
        "numbers of things are powers of 1000",
        arguments: [("50M", 50_000_000), ("1k", 1000), ("7", 7), ("1T", nil), ("2.5K", 2500)]
            as [(String, Int?)])
    func counts(text: String, value: Int?) {
        #expect(ValueReader.count(text, in: 0...Int.max) == value)
    }

    @Test(
        "colours have three, six or eight digits",
        arguments: [
            ("#0A5FFF", HexColor(red: 10, green: 95, blue: 255)),
            ("fff", HexColor(red: 255, green: 255, blue: 255)),
            ("#00000080", HexColor(red: 0, green: 0, blue: 0, alpha: 128)), ("#12", nil),
            ("##fff", nil), ("red", nil),
            ("#12345", nil), ("", nil),
        ] as [(String, HexColor?)])
    func colors(text: String, value: HexColor?) {
        #expect(ValueReader.color(text) == value)
    }

    @Test(
        "a list of whole numbers has each number once",
        arguments: [
            ("1", [1]), ("1,2,4", [1, 2, 4]), ("2, 1,2", [2, 1]), ("", nil), ("1,", nil),
            ("0", nil), ("9", nil), ("1;2", nil), ("x", nil),
        ] as [(String, [Int]?)])
    func wholes(text: String, value: [Int]?) {
        #expect(ValueReader.wholes(text, in: 1...8) == value)
    }

    @Test(
        "a percentage may omit its sign",
        arguments: [
            ("10%", 10), ("7.5", 7.5), ("0%", 0), ("-1%", nil), ("%", nil), ("101%", nil),
            ("1%%", nil),
        ] as [(String, Double?)])
    func percents(text: String, value: Double?) {
        #expect(ValueReader.percent(text, in: 0...100) == value)
    }

    @Test(
        "tolerance is a number or a share",
        arguments: [
            ("0", .count(0)), ("7", .count(7)), ("5%", .percent(5)), ("0.5%", .percent(0.5)),
            ("101%", nil), ("%", nil),
            ("-1", nil), ("x", nil),
        ] as [(String, Tolerance?)])
    func tolerances(text: String, value: Tolerance?) {
        #expect(ValueReader.tolerance(text) == value)
    }

    @Test("a tolerance is exceeded by one more than it allows")
    func passed() {
        #expect(
            !Tolerance.count(2).isExceeded(by: 2, of: 10)
                && Tolerance.count(2).isExceeded(by: 3, of: 10))
        #expect(
            !Tolerance.percent(20).isExceeded(by: 2, of: 10)
                && Tolerance.percent(20).isExceeded(by: 3, of: 10))
        #expect(!Tolerance.percent(0).isExceeded(by: 0, of: 0))
    }

    @Test("a list names each word once, and all is every word")
    func lists() {
        let words = ["a", "b", "c"]
        #expect(ValueReader.list("c, a,c", of: words, all: true) == ["c", "a"])
        #expect(ValueReader.list("b,all", of: words, all: true) == words)
        #expect(ValueReader.list("all", of: words, all: false) == nil)
        for text in ["", "a,", ",a", "a,,b", "d"] {
            #expect(ValueReader.list(text, of: words, all: true) == nil)
        }
    }

    @Test("qualities, switches and numbers are parsed")
    func others() {
        #expect(
            ValueReader.quality("lossless") == .lossless && ValueReader.quality("82") == .lossy(82))
        #expect(ValueReader.quality("0") == nil && ValueReader.quality("101") == nil)
        #expect(
            ValueReader.toggle("ON") == true && ValueReader.toggle("no") == false
                && ValueReader.toggle("") == nil)
        #expect(
            ValueReader.decimal("0.5", in: 0...1) == 0.5
                && ValueReader.decimal("-0.5", in: -1...1) == -0.5)
        for text in ["1e3", "inf", "nan", ".", "-", "1-2", "2", ""] {
            #expect(ValueReader.decimal(text, in: 0...1) == nil)
        }
        #expect(
            ValueReader.whole("007", in: 0...9) == 7 && ValueReader.whole("10", in: 0...9) == nil)
    }

    @Test("every option has a typed getter that agrees with its text")
    func getters() throws {
        let parsed = try Sample.parse([
            "paint", "--memory", "1M", "--drops", "2K", "--margin", "0.25", "--quality", "90",
            "--tone", "#fff",
            "--misses", "5%", "--room", "all",
        ])
        #expect(
            parsed[Sample.memory] == 1 << 20 && parsed[Sample.drops] == 2000
                && parsed[Sample.margin] == 0.25)
        #expect(parsed[Sample.quality] == .lossy(90) && parsed[Sample.tone]?.red == 255)
        #expect(parsed[Sample.misses] == .percent(5))
        #expect(parsed[Sample.room] == ["hall", "attic", "cellar"] && parsed[Sample.zoom] == [1])
        let bare = try Sample.parse(["paint"])
        #expect(
            bare[Sample.margin] == nil && bare[Sample.drops] == nil
                && bare[Sample.note].isEmpty)
        #expect(bare[Sample.memory] == 512 << 20)
    }

    @Test("every kind of option refuses an invalid value with its own message")
    func wanted() {
        var sentences: Set<String> = []
        for flag in Sample.paint.flags where flag.kind != .text {
            let nonsense = flag.kind == .file || flag.kind == .folder ? "" : "non\u{1B}sense"
            let problem = flag.kind.problem(with: nonsense)
            #expect(problem?.contains("\u{1B}") == false)
            if let problem { sentences.insert(problem) }
            if case .value(let text) = flag.fallback {
                #expect(flag.kind.problem(with: text) == nil)
            }
        }
        #expect(sentences.count == 13)
        #expect(ValueKind.text.problem(with: "anything") == nil)
        #expect(
            ValueKind.decimal(0...10).problem(with: "x") == "\"x\" is not a number from 0 to 10.")
        #expect(ValueKind.decimal(1...Double.infinity).wanted == "a number, at least 1")
        #expect(ValueKind.choice(["none"]).problem(with: "process") == "\"process\" is not none.")
        for (kind, text, words) in [
            (ValueKind.scales(["1", "2"]), "1,x", "\"x\" is not one of 1, 2."),
            (.wholes(8...1024), "32,4", "\"4\" is not a whole number from 8 to 1024."),
            (.choices(["a", "b"], all: true), "a,all,c", "\"c\" is not one of a, b, all."),
            (.lengths(0...9, counts: [1, 2]), "1,2,3", "\"1,2,3\" is not 1 or 2 numbers"),
        ] {
            #expect(kind.problem(with: text)?.hasPrefix(words) == true, "\(text)")
        }
    }
}

@Suite struct SpellingTests {
    @Test(
        "the nearest word is suggested, and none if nothing is near",
        arguments: [
            ("layuot", "layout"), ("scael", "scale"), ("lay", "layout"), ("LAYOUT", "layout"),
            ("xyz", nil), ("", nil),
            ("outputs", "output"), ("s", nil),
        ] as [(String, String?)])
    func nearest(word: String, meant: String?) {
        #expect(Spelling.nearest(to: word, among: ["layout", "scale", "output"]) == meant)
    }

    @Test("edit distance is symmetric, zero only for equal words, and at most the longer length")
    func laws() {
        let words = ["", "a", "ab", "ba", "layout", "layuot", "scale"].map { Array($0.utf8) }
        for left in words {
            for right in words {
                let slips = Spelling.editDistance(left, right)
                #expect(
                    slips == Spelling.editDistance(right, left) && (slips == 0) == (left == right))
                #expect(slips <= max(left.count, right.count))
            }
        }
        #expect(Spelling.editDistance(Array("ab".utf8), Array("ba".utf8)) == 1)
    }
}
