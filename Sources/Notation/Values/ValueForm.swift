/// The text form of a type: the accepted texts, their values, and the text of a value.
package struct ValueForm<Value: Sendable>: Sendable {
    package let kind: ValueKind
    /// Parses a text; nil if it is not a value of this form.
    package let read: @Sendable (String) -> Value?
    /// Formats a value so that `read` accepts it.
    package let text: @Sendable (Value) -> String

    package init(
        _ kind: ValueKind, read: @escaping @Sendable (String) -> Value?,
        text: @escaping @Sendable (Value) -> String
    ) {
        self.kind = kind
        self.read = read
        self.text = text
    }
}

extension ValueForm where Value: CaseIterable & RawRepresentable<String> {
    package static var choice: ValueForm { choice(among: Array(Value.allCases)) }

    package static func choice(among values: [Value]) -> ValueForm {
        ValueForm(
            .choice(values.map(\.rawValue)), read: { Value(rawValue: $0) }, text: \.rawValue)
    }
}

extension ValueForm<String> {
    package static var text: ValueForm { ValueForm(.text, read: { $0 }, text: { $0 }) }
    package static var file: ValueForm { ValueForm(.file, read: { $0 }, text: { $0 }) }
    package static var folder: ValueForm { ValueForm(.folder, read: { $0 }, text: { $0 }) }

    package static func word(_ words: [String]) -> ValueForm {
        ValueForm(.choice(words), read: { $0 }, text: { $0 })
    }
}

extension ValueForm<[String]> {
    /// Several of the given words, or `all`.
    package static func words(_ words: [String]) -> ValueForm {
        ValueForm(
            .choices(words, all: true),
            read: { ValueReader.list($0, of: words, all: true) },
            text: { $0 == words ? "all" : $0.joined(separator: ",") })
    }
}

extension ValueForm<Bool> {
    package static var toggle: ValueForm {
        ValueForm(.toggle, read: ValueReader.toggle, text: { $0 ? "true" : "false" })
    }

    package static func words(on: String, off: String) -> ValueForm {
        ValueForm(.choice([on, off]), read: { $0 == on }, text: { $0 ? on : off })
    }
}

extension ValueForm<Int> {
    package static func whole(_ range: ClosedRange<Int>) -> ValueForm {
        ValueForm(.whole(range), read: { ValueReader.whole($0, in: range) }, text: { "\($0)" })
    }

    package static func bytes(_ range: ClosedRange<Int>) -> ValueForm {
        ValueForm(
            .bytes(range), read: { ValueReader.bytes($0, in: range) },
            text: { ValueText.short($0, by: 1024, letters: "KMGT") })
    }

    package static func count(_ range: ClosedRange<Int>) -> ValueForm {
        ValueForm(
            .count(range), read: { ValueReader.count($0, in: range) },
            text: { ValueText.short($0, by: 1000, letters: "KMG") })
    }
}

extension ValueForm<[Int]> {
    package static func wholes(_ range: ClosedRange<Int>) -> ValueForm {
        ValueForm(
            .wholes(range), read: { ValueReader.wholes($0, in: range) },
            text: { $0.map { "\($0)" }.joined(separator: ",") })
    }
}

extension ValueForm<Double> {
    package static func decimal(_ range: ClosedRange<Double>) -> ValueForm {
        ValueForm(
            .decimal(range), read: { ValueReader.decimal($0, in: range) }, text: ValueText.decimal)
    }

    package static func percent(_ range: ClosedRange<Double>) -> ValueForm {
        ValueForm(
            .percent(range), read: { ValueReader.percent($0, in: range) },
            text: { ValueText.decimal($0) + "%" })
    }

    package static func factor(_ factors: [Double]) -> ValueForm {
        ValueForm(
            .choice(factors.map(ValueText.decimal)), read: { Double($0) }, text: ValueText.decimal)
    }
}

extension ValueForm<[Double]> {
    package static func lengths(_ range: ClosedRange<Double>, counts: [Int]) -> ValueForm {
        ValueForm(
            .lengths(range, counts: counts),
            read: { ValueReader.lengths($0, in: range, counts: counts) },
            text: { $0.map(ValueText.decimal).joined(separator: ",") })
    }

    package static func factors(_ factors: [Double]) -> ValueForm {
        let words = factors.map(ValueText.decimal)
        return ValueForm(
            .scales(words),
            read: { text in
                ValueReader.list(text, of: words, all: false)?.compactMap { Double($0) }
            },
            text: { $0.map(ValueText.decimal).joined(separator: ",") })
    }
}

extension ValueForm<Duration> {
    package static func seconds(_ range: ClosedRange<Double>) -> ValueForm {
        ValueForm(
            .seconds(range),
            read: { text in
                ValueReader.seconds(text, in: range).map { .milliseconds(($0 * 1000).rounded()) }
            },
            text: { ValueText.decimal($0 / .seconds(1)) })
    }
}

extension ValueForm<QualityValue> {
    package static var quality: ValueForm {
        ValueForm(.quality, read: ValueReader.quality) { value in
            switch value {
            case .lossy(let quality): "\(quality)"
            case .lossless: "lossless"
            }
        }
    }
}

extension ValueForm<HexColor> {
    package static var color: ValueForm {
        ValueForm(.color, read: ValueReader.color) { color in
            let channels = [color.red, color.green, color.blue, color.alpha]
            return "#"
                + channels.map { Hexadecimal.text(UInt32($0), width: 2) }.joined().uppercased()
        }
    }
}

extension ValueForm<InsetValue> {
    package static var inset: ValueForm {
        ValueForm(.inset, read: ValueReader.inset) { value in
            switch value {
            case .points(let points): ValueText.decimal(points)
            case .percent(let share): ValueText.decimal(share) + "%"
            case .safe: "safe"
            }
        }
    }
}

extension ValueForm<PointValue> {
    package static var point: ValueForm {
        ValueForm(.point, read: ValueReader.point) { point in
            ValueText.decimal(point.x) + "," + ValueText.decimal(point.y)
        }
    }
}

extension ValueForm<Tolerance> {
    package static var tolerance: ValueForm {
        ValueForm(.tolerance, read: ValueReader.tolerance) { value in
            switch value {
            case .count(let limit): "\(limit)"
            case .percent(let share): ValueText.decimal(share) + "%"
            }
        }
    }
}

/// The shortest text of a number.
private enum ValueText {
    /// Uses the largest suffix letter that divides the number.
    static func short(_ value: Int, by base: Int, letters: String) -> String {
        var value = value
        var suffix = ""
        for letter in letters where value != 0 && value.isMultiple(of: base) {
            value /= base
            suffix = String(letter)
        }
        return "\(value)\(suffix)"
    }

    static func decimal(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
