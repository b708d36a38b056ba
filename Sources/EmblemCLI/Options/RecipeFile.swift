import Flags
import Notation
import Render

/// The looks in the file of `--recipe`: a JSON object of named option sets.
package struct RecipeFile {
    static let bytesLimit = 1 << 20
    private static let countLimit = 64
    private static let schemaKey = "$schema"
    private static let example = #"{"card": {"layout": "large", "scale": 2}}"#

    package struct RecipeLook {
        package let name: String
        /// The place of the look, for error messages.
        let origin: Origin
        let settings: [String: [Setting]]

        /// Returns an error about the options of the look, with its name.
        func naming(_ error: UsageError) -> UsageError {
            guard case .recipe(let file, _, _) = origin, !error.message.hasPrefix("\(file) line ")
            else { return error }
            return UsageError("\(origin): \(error.message)", remedy: error.remedy)
        }
    }

    package let looks: [RecipeLook]

    /// The options for sizes. A look that sets one of them ignores the others of the command line.
    private static let sizes = [Options.layouts.flag, Options.heights.flag]

    /// The options that a look may set. The placeholder of an item is the same in all looks, as are
    /// its source, its limits and the theme.
    package static let flags: [Flag] =
        sizes + [Options.scales.flag, Options.schemes.flag, Options.format.flag]
        + LookOption.all.filter { option in
            option.topic != .limits && option.topic != .means && option.path != \Recipe.output
                && option.path != \Recipe.placeholder
        }.map { Flag($0) }

    /// Reads the file and checks the names and kinds of its members. `arguments(of:for:)` checks
    /// their values.
    package init(name: String, _ bytes: Span<UInt8>) throws(UsageError) {
        let file = try ConfigurationFile(name: name, bytes, example: Self.example)
        let members = file.members.filter { $0.name != Self.schemaKey }
        guard (1...Self.countLimit).contains(members.count) else {
            throw UsageError(
                "\(file.name) has \(members.count) looks; it needs 1 to \(Self.countLimit).",
                remedy: "Write it as \(Self.example).")
        }
        var looks: [RecipeLook] = []
        for (name, node) in members { looks.append(try Self.look(name, node, file)) }
        self.looks = looks
    }

    private static func look(
        _ name: String, _ node: JSONNode, _ file: ConfigurationFile
    ) throws(UsageError) -> RecipeLook {
        let path = PrintableText.escaped(name, limit: Look.nameLimit)
        func origin(_ line: Int, _ key: String) -> Origin {
            .recipe(file: PrintableText.escaped(file.name), line: line, key: key)
        }
        let place = origin(node.line, path)
        guard Look.isName(name) else {
            throw UsageError(
                "\(place): the name of a look has 1 to \(Look.nameLimit) characters of a-z, 0-9 "
                    + "and -.", remedy: "Rename the look.")
        }
        guard node.value.members != nil else {
            throw UsageError(
                "\(place) is \(node.value.kind), not an object.",
                remedy: "Write the file as \(example).")
        }
        var settings: [String: [Setting]] = [:]
        for (key, value) in node.members {
            let origin = origin(value.line, "\(path).\(PrintableText.escaped(key, limit: 80))")
            guard let flag = flags.first(where: { $0.name == key }) else {
                guard CommandDeclarations.batch.flag(key) == nil else {
                    throw UsageError(
                        "\(origin) cannot differ between looks.",
                        remedy: "Remove the member, and type --\(key) for all looks.")
                }
                if name == "looks", value.value.members != nil {
                    throw UsageError(
                        "\(place) is not a look: it holds looks.",
                        remedy: "Remove the level looks; a recipe has the looks at the top.")
                }
                throw Looks.unknownOption(key, origin, among: flags.map(\.name))
            }
            settings[key] = try file.texts(value.value, flag, origin).map { Setting($0, origin) }
        }
        return RecipeLook(name: name, origin: place, settings: settings)
    }

    /// Returns the arguments of a command with the options of one look.
    func arguments(
        of look: RecipeLook, for arguments: ParsedArguments
    ) throws(UsageError) -> ParsedArguments {
        let sizes = Self.sizes.map(\.name)
        let setsSizes = sizes.contains { look.settings[$0] != nil }
        return try arguments.overridden(by: look.settings, replacing: setsSizes ? sizes : [])
    }
}
