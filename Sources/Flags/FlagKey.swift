import Notation

/// A declared option, with or without the type of its value.
package protocol Declared {
    var flag: Flag { get }
}

extension Flag: Declared {
    package var flag: Flag { self }
}

/// An option with the type of its value, declared once and used as the key of that value.
package struct FlagKey<Value: Sendable>: Declared, Sendable {
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

    /// Creates an option of which every given value counts.
    package init<Element>(
        repeated name: String, short: Character? = nil, _ syntax: Syntax<Element>,
        _ placeholder: String, group: String, isInConfiguration: Bool = true, help: String
    ) where Value == [Element] {
        self.init(
            Flag(
                name, short: short, syntax.shape, placeholder, group: group, isRepeatable: true,
                isInConfiguration: isInConfiguration, help: help)
        ) { $0.compactMap(syntax.parse) }
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
