import Flags
import Notation

/// Settings that options set, with the defaults of the options.
package protocol OptionSettings: Sendable {
    /// The options that set a part of the settings, in the order of the help and of records.
    static var options: [SettingOption<Self>] { get }

    init()
}

extension OptionSettings {
    /// Returns the option that sets a part of the settings.
    package static func option(_ path: PartialKeyPath<Self>) -> SettingOption<Self> {
        guard let option = options.first(where: { $0.path == path }) else {
            preconditionFailure("No option sets this part of the settings.")
        }
        return option
    }
}

/// An option that sets a part of some settings, such as a recipe.
///
/// Parsing, help, list columns and records are derived from the tables of these options.
package struct SettingOption<Settings: OptionSettings>: Declared, Sendable {
    package typealias Edit = @Sendable (inout Settings) -> Void

    /// The option on the command line and in `emblem.json`; its name is also that of the list
    /// column. Without a group, only rows of a list set the option.
    package let flag: Flag
    package let path: any PartialKeyPath<Settings> & Sendable
    /// Whether rows of a list may set the option.
    package let isColumn: Bool
    /// The effect of `none` in a row.
    package let clear: Edit?
    /// Parses a text into a change of the settings; nil if it is not a value.
    package let edit: @Sendable (String) -> Edit?
    /// Returns the JSON for records; nil if the option cannot change an output.
    package let record: @Sendable (Settings) -> JSON?

    /// - Parameters:
    ///   - usual: The default of the command line, if it differs from that of the settings.
    ///   - described: The default in words, if its text alone would not be understood.
    ///   - off: The value that the word `none` in a row of a list sets; nil if rows cannot use that
    ///     word.
    ///   - record: Returns the JSON for records; by default that of the value.
    package init<Value: Sendable>(
        _ name: String, short: Character? = nil,
        _ path: any WritableKeyPath<Settings, Value> & Sendable, _ syntax: Syntax<Value>,
        _ placeholder: String = "", usual: Value? = nil, described: String? = nil, group: String,
        isInConfiguration: Bool = true, isColumn: Bool = false, off: Value? = nil,
        record: (@Sendable (Settings) -> JSON?)? = nil, help: String
    ) {
        let usual = syntax.print(usual ?? Settings()[keyPath: path])
        flag = Flag(
            name, short: short, syntax.shape, placeholder,
            fallback: described.map(Flag.Fallback.described)
                ?? (usual.isEmpty || !syntax.shape.takesValue ? .nothing : .value(usual)),
            group: group, isInConfiguration: isInConfiguration, help: help)
        self.path = path
        self.isColumn = isColumn
        clear = off.map { value -> Edit in { $0[keyPath: path] = value } }
        edit = { text in
            syntax.parse(text).map { value -> Edit in { $0[keyPath: path] = value } }
        }
        self.record =
            record ?? { settings in
                let json = syntax.json(settings[keyPath: path])
                return json == .null ? nil : json
            }
    }

    package var name: String { flag.name }

    /// Returns what is wrong with a text; nil for a value.
    package func problem(_ text: String) -> ValueProblem? { flag.shape.problem(text) }

    /// The name in records.
    package var member: String { name.replacing("-", with: "_") }
}
