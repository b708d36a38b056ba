import Artwork
import Notation

/// What a text of an option says: a value, or a file that whoever asked has to read first.
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

/// Why a text is no value of an option.
package enum LookFault: Error, Hashable, Sendable {
    /// It is none of what the option's kind takes.
    case meaningless
    case badge(BadgeFault)
    case placeholder(PlaceholderFault)
}

/// One option of the look, described once: how it is typed, what it says of itself, what it sets in
/// a recipe, what records state of it and how it travels to a worker.
///
/// Flags, environment names, columns of rows, the manifest's `options`, the keys by which outputs
/// are used again and the wire are made from this.
package final class LookOption: Sendable {
    package typealias Edit = @Sendable (inout Recipe) -> Void

    /// The subject of an option, which is its heading in the help.
    package enum Topic: String, Sendable {
        case fit = "Size and fit"
        case colors = "Colours and theme"
        case logos = "Logo clean-up"
        case overlay = "Badges and placeholders"
        case form = "Encoding"
        case limits = "Timeouts and limits"
        case means = "Advanced"
    }

    /// Of its flag and its column; with `_` for `-` also in records and in the environment.
    package let name: String
    /// What it sets.
    package let path: any PartialKeyPath<Recipe> & Sendable
    /// What every text of it is checked against.
    package let kind: ValueKind
    /// The word that stands for its value in the help.
    package let placeholder: String
    /// The text of what a recipe has by itself; nil where that is nothing.
    package let usual: String?
    /// The same in words, for the help alone.
    package let usualInWords: String?
    package let topic: Topic
    /// Rows may set it too.
    package let isColumn: Bool
    /// What `none` in a row does.
    package let clear: Edit?
    /// The option behind which records state it, where that is not the one before it here.
    package let recordedAfter: String?
    /// One sentence.
    package let help: String
    /// What a text of it changes in a recipe.
    package let read: @Sendable (String) throws(LookFault) -> LookReading<Edit>
    /// What records state; nil where it cannot change an output.
    package let record: @Sendable (Recipe) -> JSON?

    let put: @Sendable (inout WireWriter, Recipe) -> Void
    let take: @Sendable (inout WireReader, inout Recipe) throws(WireDamage) -> Void

    /// - Parameters:
    ///   - off: what `none` in a row stands for.
    ///   - record: what records state, where that is not simply the value.
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
        usual = kind == .toggle ? nil : form.text(plain[keyPath: path])
        usualInWords = inWords
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

    /// The name of its member in records.
    package var member: String { name.replacing("-", with: "_") }
}
