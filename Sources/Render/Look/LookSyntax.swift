import Artwork
import Codecs
import Notation
import Raster
import Theming

extension Syntax<OutputChoice> {
    /// A format by its name or file extension, or `same`.
    package static var output: Syntax {
        let formats = OutputFormat.allCases.map { ($0.name, OutputChoice.fixed($0)) }
        let extensions = OutputFormat.allCases.map { ($0.fileExtension, OutputChoice.fixed($0)) }
        var words: [(name: String, value: OutputChoice)] = []
        for (format, named) in zip(formats, extensions) {
            words.append(format)
            if named.0 != format.0 { words.append(named) }
        }
        return .choice(words + [("same", .same)])
    }
}

extension Syntax<EncodeQuality> {
    /// 1 to 100, or `lossless`.
    static var quality: Syntax {
        Syntax(
            "a quality from 1 to 100, or lossless", words: ["lossless"],
            schema: [.number("integer", 1...100), .pattern("^(lossless|[0-9]+)$")],
            parse: { text in
                text == "lossless"
                    ? .lossless : Numeral.whole(text, in: 1...100).map { .lossy($0) }
            },
            print: { quality in
                if case .lossy(let value) = quality { "\(value)" } else { "lossless" }
            },
            json: { quality in
                if case .lossy(let value) = quality {
                    .number(JSONNumber(value))
                } else {
                    "lossless"
                }
            })
    }
}

extension Syntax<Color> {
    /// Three, six or eight hexadecimal digits, with or without `#`, since a shell may treat it as a
    /// comment.
    package static var color: Syntax {
        Syntax(
            "a colour such as #0A5FFF",
            schema: [.pattern("^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$")],
            parse: { Color(hex: $0.hasPrefix("#") ? $0 : "#" + $0) }, print: \.hex)
    }
}

extension Syntax<BackgroundRule> {
    /// A word, or an opaque colour.
    static var background: Syntax {
        let rules: [(name: String, rule: BackgroundRule)] = [
            ("appearance", .appearance), ("own", .own), ("auto", .auto),
        ]
        let words = rules.map(\.name)
        return Syntax(
            words.joined(separator: ", ") + " or an opaque colour such as #0A5FFF", words: words,
            schema: [.words(words), .pattern("^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$")],
            parse: { text in
                if let word = rules.first(where: { $0.name == text }) { return word.rule }
                return Syntax<Color>.color.parse(text).flatMap { color in
                    color.alpha == 255 ? .color(color) : nil
                }
            },
            print: { rule in
                if case .color(let color) = rule { return color.hex }
                return rules.first { $0.rule == rule }?.name ?? ""
            })
    }
}

extension Syntax<Padding> {
    /// Points, a percentage up to 25 %, or `safe`.
    static var padding: Syntax {
        Syntax(
            "a number of points, a percentage from 0% to 25%, or safe", words: ["safe"],
            schema: [
                .number("number", 0...1000), .pattern("^(safe|[0-9.]+%?)$"), .words(["safe"]),
            ],
            parse: { text in
                if text == "safe" { return .safe }
                return text.hasSuffix("%")
                    ? Numeral.percent(text, in: 0...25).map { .percent($0) }
                    : Numeral.decimal(text, in: 0...1000).map { .points($0) }
            },
            print: { padding in
                switch padding {
                case .points(let points): Numeral.text(points)
                case .percent(let share): Numeral.text(share) + "%"
                case .safe: "safe"
                case .round: "round"
                }
            },
            json: { padding in
                if case .points(let points) = padding { return JSON.number(ofScale: points) }
                return .string(Syntax<Padding>.padding.print(padding))
            })
    }
}

extension Syntax<FocusPoint> {
    /// Two shares from 0 to 1, separated by a comma.
    static var point: Syntax {
        Syntax(
            "a point such as 0.5,0.25, from the left and from the top",
            schema: [.pattern("^ *[0-9.]+ *, *[0-9.]+ *$")],
            parse: { text in
                let parts = Numeral.parts(text).map { Numeral.decimal($0, in: 0...1) }
                guard parts.count == 2, let x = parts[0], let y = parts[1] else { return nil }
                return FocusPoint(x: x, y: y)
            },
            print: { Numeral.text($0.x) + "," + Numeral.text($0.y) })
    }
}

extension Syntax<DecodeLimits> {
    /// The number of pixels, from which the other limits follow.
    static var limits: Syntax {
        let count = Syntax<Int>.count(1...Int.max)
        return Syntax(
            count.shape.wanted, schema: count.shape.schema,
            parse: { count.parse($0).map { DecodeLimits(pixels: $0) } },
            print: { count.print($0.pixels) }, json: { .number(JSONNumber($0.pixels)) })
    }
}

extension Syntax<BadgeMark> {
    /// A badge, typed as `TEXT:APPEARANCE[@CORNER]`.
    static var badge: Syntax {
        Syntax(
            "a badge",
            parse: { try? BadgeMark(argument: $0) }, print: \.argument,
            problem: { text in
                do throws(BadgeFault) {
                    _ = try BadgeMark(argument: text)
                    return ValueProblem("")
                } catch {
                    return ValueProblem("\(error)", remedy: "Write it as in '3:danger'.")
                }
            })
    }
}

extension Syntax<PlaceholderChoice> {
    static var placeholder: Syntax {
        let icons = BuiltInIcon.allCases.map(\.rawValue)
        var syntax = Syntax(
            "icon:NAME, initials, initials:AB, FILE or none",
            parse: PlaceholderChoice.init(spelling:), print: \.spelling,
            problem: { text in
                guard text.hasPrefix("icon:") else {
                    return text.isEmpty
                        ? ValueProblem(
                            "the value is empty",
                            remedy: "Give icon:NAME, initials, a FILE, or none.")
                        : ValueProblem(
                            "initials: has no letters",
                            remedy: "Add letters, as in initials:JD.")
                }
                let name = String(text.dropFirst("icon:".count))
                return ValueProblem(
                    "unknown icon '\(PrintableText.escaped(name, limit: 60))'", word: name,
                    words: icons)
            })
        syntax.offer(icons.map { "icon:\($0)" } + ["initials", "none"])
        return syntax
    }
}
