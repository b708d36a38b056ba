import Notation

/// An option and the type of what it says: declared once, and asked for by itself.
package struct FlagKey<Value: Sendable>: Sendable {
    /// The declaration, for parser, help and completions.
    package let flag: Flag
    /// What all the texts say that somebody gave; without any, what holds then.
    let read: @Sendable ([String]) -> Value

    /// What `flag` says as `read` reads it.
    package init(_ flag: Flag, read: @escaping @Sendable ([String]) -> Value) {
        self.flag = flag
        self.read = read
    }

    /// The same with words for a shell to offer.
    package func offering(_ words: [String], several: Bool = false) -> Self {
        Self(flag.offering(words, several: several), read: read)
    }

    /// An option that has a value even where nobody gives one; the help derives its default from
    /// that value.
    package init(
        _ name: String, short: Character? = nil, _ form: ValueForm<Value>,
        _ placeholder: String, usual: Value, group: String, isInEnvironment: Bool = true,
        isInConfiguration: Bool = true, help: String
    ) {
        self.init(
            Flag(
                name, short: short, form.kind, placeholder, fallback: .value(form.text(usual)),
                group: group, isInEnvironment: isInEnvironment,
                isInConfiguration: isInConfiguration, help: help)
        ) { $0.last.flatMap(form.read) ?? usual }
    }

    /// An option that may say nothing.
    ///
    /// - Parameter described: what holds then, in words for the help.
    package init<Wrapped>(
        _ name: String, short: Character? = nil, _ form: ValueForm<Wrapped>,
        _ placeholder: String, described: String? = nil, group: String,
        isInEnvironment: Bool = true, isInConfiguration: Bool = true, help: String
    ) where Value == Wrapped? {
        self.init(
            Flag(
                name, short: short, form.kind, placeholder,
                fallback: described.map { .described($0) } ?? .nothing, group: group,
                isInEnvironment: isInEnvironment, isInConfiguration: isInConfiguration, help: help)
        ) { $0.last.flatMap(form.read) }
    }
}

extension FlagKey<Bool> {
    /// On or off; off where nobody says so.
    package init(
        toggle name: String, short: Character? = nil, group: String, isNegatable: Bool = false,
        isInEnvironment: Bool = true, isInConfiguration: Bool = true, help: String
    ) {
        self.init(
            Flag(
                name, short: short, .toggle, group: group, isNegatable: isNegatable,
                isInEnvironment: isInEnvironment, isInConfiguration: isInConfiguration, help: help)
        ) { $0.last.flatMap(ValueReader.toggle) ?? false }
    }
}

extension FlagKey<[String]> {
    /// An option that may be given several times.
    package init(
        repeated name: String, short: Character? = nil, _ form: ValueForm<String>,
        _ placeholder: String, group: String,
        isInEnvironment: Bool = true, isInConfiguration: Bool = true, help: String
    ) {
        self.init(
            Flag(
                name, short: short, form.kind, placeholder, group: group, isRepeatable: true,
                isInEnvironment: isInEnvironment, isInConfiguration: isInConfiguration, help: help)
        ) { $0 }
    }
}

extension ParsedArguments {
    /// What the option says.
    package subscript<Value>(key: FlagKey<Value>) -> Value { key.read(texts(key.flag)) }

    /// The value of an option that has to be given.
    package func required<Value>(_ key: FlagKey<Value?>) throws(UsageError) -> Value {
        if let value = self[key] { return value }
        let spelling = key.flag.short.map { "-\($0)" } ?? "--\(key.flag.name)"
        throw UsageError(
            "'\(tool.name) \(command.name)' needs \(spelling) \(key.flag.placeholder).",
            remedy: "Add '\(spelling) \(key.flag.placeholder)'.")
    }

    /// Somebody set the option, be it to its default.
    package func isSet<Value>(_ key: FlagKey<Value>) -> Bool { isSet(key.flag) }

    /// The command has the option.
    package func has<Value>(_ key: FlagKey<Value>) -> Bool { command.flag(key.flag.name) != nil }

    /// Complains about an option that was typed, and would do nothing here.
    package func refuse<Value>(
        _ key: FlagKey<Value>, _ message: String, remedy: String? = nil
    ) throws(UsageError) {
        try refuse(key.flag, message, remedy: remedy)
    }

    /// A complaint about the value of an option, with the origin it came from.
    package func error<Value>(
        _ key: FlagKey<Value>, _ message: String, remedy: String? = nil
    ) -> UsageError {
        error(key.flag, message, remedy: remedy)
    }
}
