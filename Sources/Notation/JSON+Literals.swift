extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `nil` in source text.
    package init(nilLiteral: ()) {
        self = .null
    }

    /// `true` and `false` in source text.
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Digits in source text.
    package init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }

    /// Digits with a fraction in source text.
    package init(floatLiteral value: Double) {
        self = .number(JSONNumber(value))
    }

    /// Quoted words in source text.
    package init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Brackets in source text.
    package init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }

    /// Names and values in brackets, whose order is kept.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
