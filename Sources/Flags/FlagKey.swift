import Notation

/// An option with the type of its value, declared once and used as the key of that value.
package struct FlagKey<Value: Sendable>: Sendable {
    package let flag: Flag
    /// Returns the value for all given texts; without any, the default.
    let read: @Sendable ([String]) -> Value

    package init(_ flag: Flag, read: @escaping @Sendable ([String]) -> Value) {
        self.flag = flag
        self.read = read
    }

    /// Creates an option with a default value, from which the help derives its text.
    package init(
        _ name: String, short: Character? = nil, _ syntax: Syntax<Value>,
        _ placeholder: String, usual: Value, group: String, isInConfiguration: Bool = true,
        help: String
    ) {
        self.init(
            Flag(
                name, short: short, syntax.shape, placeholder,
                fallback: .value(syntax.print(usual)),
                group: group, isInConfiguration: isInConfiguration, help: help)
        ) { $0.last.flatMap(syntax.parse) ?? usual }
    }

    /// Creates an option that may be absent.
    ///
    /// - Parameter described: the effect of omitting the option, for the help.
    package init<Wrapped>(
        _ name: String, short: Character? = nil, _ syntax: Syntax<Wrapped>,
        _ placeholder: String, described: String? = nil, group: String,
        isInConfiguration: Bool = true, bareValue: String? = nil, help: String
    ) where Value == Wrapped? {
        self.init(
            Flag(
                name, short: short, syntax.shape, placeholder,
                fallback: described.map { .described($0) } ?? .nothing, group: group,
                isInConfiguration: isInConfiguration, bareValue: bareValue, help: help)
        ) { $0.last.flatMap(syntax.parse) }
    }
}

extension FlagKey<Bool> {
    /// Creates a toggle that is off by default.
    package init(
        toggle name: String, short: Character? = nil, group: String, isInConfiguration: Bool = true,
        help: String
    ) {
        self.init(
            Flag(
                name, short: short, Syntax<Bool>.toggle.shape, group: group,
                isInConfiguration: isInConfiguration, help: help)
        ) { $0.last.flatMap(Syntax<Bool>.toggle.parse) ?? false }
    }
}

extension FlagKey<[String]> {
    package init(
        repeated name: String, short: Character? = nil, _ syntax: Syntax<String>,
        _ placeholder: String, group: String,
        isInConfiguration: Bool = true, help: String
    ) {
        self.init(
            Flag(
                name, short: short, syntax.shape, placeholder, group: group, isRepeatable: true,
                isInConfiguration: isInConfiguration, help: help)
        ) { $0 }
    }
}

extension ParsedArguments {
    package subscript<Value>(key: FlagKey<Value>) -> Value { key.read(texts(key.flag)) }

    /// Returns the value of a required option.
    package func required<Value>(_ key: FlagKey<Value?>) throws(UsageError) -> Value {
        if let value = self[key] { return value }
        let spelling = key.flag.short.map { "-\($0)" } ?? "--\(key.flag.name)"
        throw UsageError(
            "'\(tool.name) \(command.name)' needs \(spelling) \(key.flag.placeholder).",
            remedy: "Add '\(spelling) \(key.flag.placeholder)'.")
    }

    /// Returns whether the option was set, even to its default.
    package func isSet<Value>(_ key: FlagKey<Value>) -> Bool { isSet(key.flag) }

    /// Returns whether the command declares the option.
    package func has<Value>(_ key: FlagKey<Value>) -> Bool { command.flag(key.flag.name) != nil }

    /// Throws if the option was typed, since it would have no effect here.
    package func refuse<Value>(
        _ key: FlagKey<Value>, _ message: String, remedy: String? = nil
    ) throws(UsageError) {
        try refuse(key.flag, message, remedy: remedy)
    }

    /// Returns an error about the value of an option, with its origin.
    package func error<Value>(
        _ key: FlagKey<Value>, _ message: String, remedy: String? = nil
    ) -> UsageError {
        error(key.flag, message, remedy: remedy)
    }
}
