import Artwork
import Notation

/// The parsed text of an option: a value, or a file that the caller has to read first.
package enum LookReading<Value: Sendable>: Sendable {
    case value(Value)
    case file(String, @Sendable ([UInt8]) -> Value)
}

extension LookReading {
    func map<Other: Sendable>(_ body: @escaping @Sendable (Value) -> Other) -> LookReading<Other> {
        switch self {
        case .value(let value): .value(body(value))
        case .file(let path, let made): .file(path) { body(made($0)) }
        }
    }
}

/// The reason why a text is not a value of an option.
package enum LookFault: Error, Hashable, Sendable {
    /// The kind of the option does not accept the text.
    case meaningless
    case badge(BadgeFault)
    case placeholder(PlaceholderFault)
}

/// One option of the look, declared once.
///
/// Flags, environment variables, list columns, the manifest's `options`, the keys for reuse of
/// outputs and the messages to workers are derived from these declarations.
package final class LookOption: Sendable {
    package typealias Edit = @Sendable (inout Recipe) -> Void

    /// The subject of an option: its heading in the help.
    package enum Topic: String, Sendable {
        case size = "Size"
        case fit = "Look"
        case colors = "Colours"
        case failures = "Failures"
        case form = "Output"
        case limits = "Limits"
        /// Only rows of a list set the option; no command has it.
        case row = ""
    }

    /// The name of the flag and the list column. Records have `_` for `-`.
    package let name: String
    package let path: any PartialKeyPath<Recipe> & Sendable
    package let kind: ValueKind
    /// The word for the value in the help.
    package let placeholder: String
    /// The default as it is typed; nil for a toggle.
    package let defaultText: String?
    /// The default in words, for the help, if `defaultText` alone would not be understood.
    package let defaultInWords: String?
    package let topic: Topic
    /// Whether rows of a list may set the option.
    package let isColumn: Bool
    /// The effect of `none` in a row.
    package let clear: Edit?
    /// The option that precedes this one in records; nil for the previous declaration.
    package let recordedAfter: String?
    package let help: String
    /// Parses a text into a change of a recipe.
    package let read: @Sendable (String) throws(LookFault) -> LookReading<Edit>
    /// Returns the JSON for records; nil if the option cannot change an output.
    package let record: @Sendable (Recipe) -> JSON?

    /// Writes the value for a worker.
    let put: @Sendable (inout WireWriter, Recipe) -> Void
    /// Reads the value from a message and sets it.
    let take: @Sendable (inout WireReader, inout Recipe) throws(WireDamage) -> Void

    /// - Parameters:
    ///   - off: the value that the word `none` in a row of a list sets; nil if rows cannot use that
    ///     word.
    ///   - record: returns the JSON for records; by default the value in the JSON of `form`.
    init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Recipe, Value> & Sendable,
        _ form: LookForm<Value>, _ placeholder: String = "", inWords: String? = nil,
        topic: Topic = .fit, isColumn: Bool = false, off: Value? = nil,
        recordedAfter: String? = nil, record: (@Sendable (Recipe) -> JSON?)? = nil, help: String
    ) {
        self.name = name
        self.path = path
        kind = form.kind
        self.placeholder = placeholder
        let plain = Recipe(variants: [])
        defaultText = kind == .toggle ? nil : form.text(plain[keyPath: path])
        defaultInWords = inWords
        self.topic = topic
        self.isColumn = isColumn
        clear = off.map { value -> Edit in { recipe in recipe[keyPath: path] = value } }
        self.recordedAfter = recordedAfter
        self.help = help
        read = { text throws(LookFault) in
            try form.read(text).map { value -> Edit in { recipe in recipe[keyPath: path] = value } }
        }
        self.record = record ?? { form.json($0[keyPath: path]) }
        put = { wire, recipe in form.put(&wire, recipe[keyPath: path]) }
        take = { wire, recipe throws(WireDamage) in
            recipe[keyPath: path] = try form.take(&wire)
        }
    }

    /// The name in records and environment variables.
    package var member: String { name.replacing("-", with: "_") }
}
