/// The syntax of a value, whether it comes from the command line, the environment, a file or a row
/// of a list.
package struct Syntax<Value: Sendable>: Sendable {
    package var shape: ValueShape
    /// Parses a text; nil if it is not a value.
    package let parse: @Sendable (String) -> Value?
    /// Formats a value so that `parse` accepts it.
    package let print: @Sendable (Value) -> String
    /// Returns the value in records.
    package let json: @Sendable (Value) -> JSON

    /// - Parameters:
    ///   - wanted: The accepted texts in words, to follow "is not".
    ///   - problem: Returns what is wrong with a text that `parse` does not accept; by default that
    ///     it is not what is wanted.
    ///   - json: By default the printed text.
    package init(
        _ wanted: String, words: [String] = [], files: ValueShape.Files = .none,
        schema: [JSON] = [["type": ["string", "number"]]],
        parse: @escaping @Sendable (String) -> Value?, print: @escaping @Sendable (Value) -> String,
        json: (@Sendable (Value) -> JSON)? = nil,
        problem: (@Sendable (String) -> ValueProblem)? = nil
    ) {
        shape = ValueShape(wanted: wanted, words: words, files: files, schema: schema) { text in
            guard parse(text) == nil else { return nil }
            return problem?(text) ?? ValueProblem(text, isNot: wanted, words: words)
        }
        self.parse = parse
        self.print = print
        self.json = json ?? { .string(print($0)) }
    }

    /// Returns the syntax of a value that may be missing, which no text stands for.
    package var optional: Syntax<Value?> {
        var syntax = Syntax<Value?>(
            "", parse: { [parse] in parse($0).map { Optional($0) } },
            print: { [print] in $0.map(print) ?? "" }, json: { [json] in $0.map(json) ?? .null })
        syntax.shape = shape
        return syntax
    }
}

/// What messages, help, completions and schema say about the values of an option.
package struct ValueShape: Sendable {
    package enum Files: Sendable {
        case none, file, folder
    }

    package let wanted: String
    /// The words among the values.
    package let words: [String]
    package let files: Files
    /// The forms of the value in a JSON schema.
    package fileprivate(set) var schema: [JSON]
    /// Returns what is wrong with a text; nil for a value.
    package fileprivate(set) var problem: @Sendable (String) -> ValueProblem?
    /// Whether a value is exactly one of the words.
    package fileprivate(set) var isChoice = false
    /// Whether a value has several elements, separated by commas.
    package fileprivate(set) var isList = false
    /// Whether the option needs a value on the command line; a toggle does not.
    package fileprivate(set) var takesValue = true
    /// Further words that a shell completes, among other texts.
    package fileprivate(set) var offers: [String] = []

    fileprivate init(
        wanted: String, words: [String], files: Files, schema: [JSON],
        problem: @escaping @Sendable (String) -> ValueProblem?
    ) {
        self.wanted = wanted
        self.words = words
        self.files = files
        self.schema = schema
        self.problem = problem
    }
}

/// The reason why a text is not a value.
package struct ValueProblem: Sendable {
    /// A sentence without its full stop.
    package let message: String
    /// The wrong part of the text, and the words of which it should be one.
    package let word: String
    package let words: [String]
    /// The words in a message about a row; nil for the default.
    package let remedy: String?

    package init(_ message: String, word: String = "", words: [String] = [], remedy: String? = nil)
    {
        self.message = message
        self.word = word
        self.words = words
        self.remedy = remedy
    }

    fileprivate init(_ text: String, isNot wanted: String, words: [String]) {
        self.init(
            "\"\(PrintableText.escaped(text, limit: 80))\" is not \(wanted)", word: text,
            words: words)
    }
}

// MARK: Texts and words

extension Syntax<String> {
    package static var text: Syntax {
        Syntax("a text", parse: { $0 }, print: { $0 })
    }

    package static var file: Syntax { path("the name of a file", .file) }
    package static var folder: Syntax { path("the name of a folder", .folder) }

    private static func path(_ wanted: String, _ files: ValueShape.Files) -> Syntax {
        Syntax(
            wanted, files: files,
            parse: { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }, print: { $0 })
    }

    package static func word(_ words: [String]) -> Syntax { .choice(words.map { ($0, $0) }) }

    /// Returns the syntax of any text, with words for completion.
    package static func text(
        offering words: [String], several: Bool = false
    ) -> Syntax {
        var syntax = text
        syntax.offer(words, several: several)
        return syntax
    }
}

extension Syntax {
    /// Adds words for completion to a syntax that accepts other texts, too.
    package mutating func offer(_ words: [String], several: Bool = false) {
        shape.offers = words
        shape.isList = several
        shape.schema = [
            ["type": ["string", "number"], "examples": .array(words.map { .string($0) })]
        ]
    }

    package static func choice(_ values: [(name: String, value: Value)]) -> Syntax
    where Value: Equatable {
        let words = values.map(\.name)
        var syntax = Syntax(
            words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))", words: words,
            schema: [.words(words)],
            parse: { text in values.first { $0.name == text }?.value },
            print: { value in values.first { $0.value == value }?.name ?? "" })
        syntax.shape.isChoice = true
        return syntax
    }

    /// Returns the syntax of several elements, separated by commas, each once.
    ///
    /// - Parameters:
    ///   - wantedElement: An element in words, to follow "is not"; by default that of its syntax.
    ///   - all: The elements that the word `all` selects; nil if it is no value.
    package static func list<Element: Equatable>(
        of element: Syntax<Element>, _ wanted: String, wantedElement: String? = nil,
        all: [Element]? = nil, schema: [JSON]
    ) -> Syntax where Value == [Element] {
        let words = element.shape.words + (all == nil ? [] : ["all"])
        var syntax = Syntax(
            wanted, words: words, schema: schema,
            parse: { text in
                var elements: [Element] = []
                var isAll = false
                for part in Numeral.parts(text) {
                    if all != nil, part == "all" {
                        isAll = true
                        continue
                    }
                    guard let value = element.parse(part) else { return nil }
                    if !elements.contains(value) { elements.append(value) }
                }
                return isAll ? all : elements
            },
            print: { $0 == all ? "all" : $0.map(element.print).joined(separator: ",") })
        let elementWanted =
            wantedElement
            ?? (words.count == element.shape.words.count || words.count < 2
                ? element.shape.wanted : "one of \(words.joined(separator: ", "))")
        syntax.shape.problem = { [parse = syntax.parse] text in
            guard parse(text) == nil else { return nil }
            let wrong = Numeral.parts(text).first { part in
                element.parse(part) == nil && !(all != nil && part == "all")
            }
            return ValueProblem(wrong ?? text, isNot: elementWanted, words: words)
        }
        syntax.shape.isList = true
        return syntax
    }
}

extension Syntax where Value: CaseIterable & RawRepresentable<String> & Equatable {
    package static var choice: Syntax { .choice(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension Syntax<[String]> {
    /// Several of the given words, or `all`.
    package static func words(_ words: [String], wantedElement: String? = nil) -> Syntax {
        .list(
            of: .word(words), "a comma-separated list of \(words.joined(separator: ", ")); or all",
            wantedElement: wantedElement,
            all: words, schema: .list(of: words + ["all"]))
    }
}

extension Syntax<Bool> {
    package static var toggle: Syntax {
        var syntax = Syntax(
            "true or false", schema: [["type": "boolean"]],
            parse: { text in
                switch text.lowercased() {
                case "1", "true", "yes", "on": true
                case "0", "false", "no", "off": false
                default: nil
                }
            }, print: { $0 ? "true" : "false" }, json: { .bool($0) })
        syntax.shape.takesValue = false
        return syntax
    }
}

// MARK: Numbers

extension Syntax<Int> {
    package static func whole(_ range: ClosedRange<Int>) -> Syntax {
        Syntax(
            "a whole number\(Numeral.bounds(range))",
            schema: [.number("integer", range), .pattern("^-?[0-9]+$")],
            parse: { Numeral.whole($0, in: range) }, print: { "\($0)" },
            json: { .number(JSONNumber($0)) })
    }

    /// A size in bytes; K, M, G and T multiply by powers of 1024, optionally followed by `B` or
    /// `iB`.
    package static func bytes(_ range: ClosedRange<Int>) -> Syntax {
        Syntax(
            "a size in bytes, such as 512M (K, M and G are powers of 1024)\(Numeral.bounds(range))",
            schema: [
                .number("integer", range), .pattern("^[0-9.]+([KMGTkmgt]([Ii]?[Bb])?)?$"),
            ],
            parse: { text in
                var text = text.uppercased()
                if text.hasSuffix("B") {
                    text.removeLast(text.hasSuffix("IB") ? 2 : 1)
                    guard let last = text.last, "KMGT".contains(last) else { return nil }
                }
                return Numeral.multiplied(text, by: 1024, letters: "KMGT", in: range)
            },
            print: { Numeral.short($0, by: 1024, letters: "KMGT") })
    }

    /// A count; K, M and G multiply by powers of 1000.
    package static func count(_ range: ClosedRange<Int>) -> Syntax {
        Syntax(
            "a number, such as 50M (K, M and G are powers of 1000)\(Numeral.bounds(range))",
            schema: [.number("integer", range), .pattern("^[0-9.]+[KMGkmg]?$")],
            parse: { Numeral.multiplied($0.uppercased(), by: 1000, letters: "KMG", in: range) },
            print: { Numeral.short($0, by: 1000, letters: "KMG") })
    }
}

extension Syntax<[Int]> {
    package static func wholes(_ range: ClosedRange<Int>) -> Syntax {
        .list(
            of: .whole(range), "a comma-separated list of whole numbers\(Numeral.bounds(range))",
            schema: [
                .number("integer", range), .pattern("^ *[0-9]+ *(, *[0-9]+ *)*$"),
            ])
    }
}

extension Syntax<Double> {
    /// A number such as `4` or `0.5`.
    package static func decimal(_ range: ClosedRange<Double>) -> Syntax {
        Syntax(
            "a number\(Numeral.bounds(range))",
            schema: [.number("number", range), .pattern("^-?[0-9.]+$")],
            parse: { Numeral.decimal($0, in: range) }, print: Numeral.text,
            json: { JSON.number(ofScale: $0) })
    }

    /// A percentage; the percent sign is optional.
    package static func percent(_ range: ClosedRange<Double>) -> Syntax {
        Syntax(
            "a percentage such as 10%\(Numeral.bounds(range))",
            parse: { Numeral.percent($0, in: range) }, print: { Numeral.text($0) + "%" })
    }

    package static func factor(_ factors: [Double]) -> Syntax {
        .choice(factors.map { (Numeral.text($0), $0) })
    }
}

extension Syntax<[Double]> {
    package static func factors(_ factors: [Double]) -> Syntax {
        let words = factors.map(Numeral.text)
        let numbers: JSON = ["enum": .array(factors.map { JSON.number(ofScale: $0) })]
        return .list(
            of: .factor(factors), "a comma-separated list of \(words.joined(separator: ", "))",
            schema: [numbers] + [JSON].list(of: words))
    }

    /// Numbers separated by commas, as many as one of the counts.
    package static func lengths(_ range: ClosedRange<Double>, counts: [Int]) -> Syntax {
        let words = counts.dropLast().map(String.init).joined(separator: ", ")
        var syntax = Syntax(
            "\(words) or \(counts.last ?? 1) numbers\(Numeral.bounds(range)), separated by commas",
            schema: [.number("number", range), .pattern("^ *[0-9.]+ *(, *[0-9.]+ *)*$")],
            parse: { text in
                let parts = Numeral.parts(text)
                let numbers = parts.compactMap { Numeral.decimal($0, in: range) }
                return numbers.count == parts.count && counts.contains(parts.count)
                    ? numbers : nil
            },
            print: { $0.map(Numeral.text).joined(separator: ",") })
        syntax.shape.isList = true
        return syntax
    }
}

extension Syntax<Duration> {
    /// A time in seconds, or with a unit: ms, s, m or h.
    package static func seconds(_ range: ClosedRange<Double>) -> Syntax {
        Syntax(
            "a time in seconds, such as 30, 500ms or 5m\(Numeral.bounds(range))",
            schema: [.number("number", range), .pattern("^[0-9.]+([Mm]?[Ss]|[MmHh])?$")],
            parse: { text in
                let text = text.lowercased()
                let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
                let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1)
                let number = Numeral.decimal(String(text.dropLast(unit.0.count)), in: 0...1e15)
                guard let seconds = number.map({ $0 * unit.1 }), range.contains(seconds) else {
                    return nil
                }
                return .milliseconds((seconds * 1000).rounded())
            },
            print: { Numeral.text($0 / .seconds(1)) })
    }
}

/// The number of items that may fail before a run counts as failed.
package enum Tolerance: Hashable, Sendable {
    case count(Int)
    case percent(Double)

    package func isExceeded(by failures: Int, of total: Int) -> Bool {
        switch self {
        case .count(let limit): failures > limit
        case .percent(let share): Double(failures) * 100 > share * Double(total)
        }
    }
}

extension Syntax<Tolerance> {
    package static var tolerance: Syntax {
        Syntax(
            "a number of items, or a percentage such as 5%",
            schema: [.number("integer", 0...Int.max), .pattern("^([0-9]+|[0-9.]+%)$")],
            parse: { text in
                text.hasSuffix("%")
                    ? Numeral.percent(text, in: 0...100).map { .percent($0) }
                    : Numeral.whole(text, in: 0...Int.max).map { .count($0) }
            },
            print: { value in
                switch value {
                case .count(let limit): "\(limit)"
                case .percent(let share): Numeral.text(share) + "%"
                }
            })
    }
}

// MARK: Schemas

extension JSON {
    package static func words(_ words: [String]) -> JSON {
        ["enum": .array(words.map { .string($0) })]
    }

    package static func pattern(_ text: String) -> JSON {
        ["type": "string", "pattern": .string(text)]
    }

    package static func number(_ type: String, _ range: ClosedRange<Int>) -> JSON {
        number(type, range.lowerBound, range.upperBound == .max ? nil : range.upperBound) {
            .number(JSONNumber($0))
        }
    }

    package static func number(_ type: String, _ range: ClosedRange<Double>) -> JSON {
        number(type, range.lowerBound, range.upperBound.isFinite ? range.upperBound : nil) {
            JSON.number(ofScale: $0)
        }
    }

    private static func number<Bound>(
        _ type: String, _ low: Bound, _ high: Bound?, _ number: (Bound) -> JSON
    ) -> JSON {
        var members = [JSON.Member("type", .string(type)), JSON.Member("minimum", number(low))]
        if let high { members.append(JSON.Member("maximum", number(high))) }
        return .object(members)
    }
}

extension [JSON] {
    /// Returns the forms of a list of words: one word, or several separated by commas.
    package static func list(of words: [String]) -> [JSON] {
        let choice = "(\(words.map { $0.replacing(".", with: "\\.") }.joined(separator: "|")))"
        return [.words(words), .pattern("^ *\(choice) *(, *\(choice) *)*$")]
    }
}
