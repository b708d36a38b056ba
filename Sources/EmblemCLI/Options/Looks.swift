import Flags
import Notation
import Render

/// The looks that a command can use: the built-in looks, then those of the configuration file.
package struct Looks {
    package static let section = "looks"
    private static let base = "extends"
    private static let countLimit = 64
    private static let namesShown = 20

    /// A look of the configuration file, with checked values.
    private struct Definition {
        let name: String
        let base: String
        /// The place of `extends` in the file; the place of the look if it has no `extends`.
        let origin: Origin
        let options: [(name: String, text: String)]
    }

    package let all: [Look]

    static var schema: JSON.Member {
        var properties = [
            JSON.Member(
                base, ["type": "string", "examples": .array(Look.builtIn.map { .string($0.name) })])
        ]
        properties += LookOption.ofLooks.map { ConfigurationSchema.property([Flag($0)]) }
        return JSON.Member(
            section,
            [
                "description": "Further looks for --look, by name.", "type": "object",
                "maxProperties": .number(JSONNumber(countLimit)),
                "propertyNames": [
                    "pattern": .string("^[a-z0-9-]{1,\(Look.nameLimit)}$"),
                    "not": ["enum": .array(Look.builtIn.map { .string($0.name) })],
                ],
                "additionalProperties": [
                    "type": "object", "additionalProperties": false,
                    "properties": .object(properties),
                ],
            ])
    }

    /// Reads and checks every definition in the file.
    package init(_ file: ConfigurationFile?) throws(UsageError) {
        var all = Look.builtIn
        if let file, let section = file.section(Self.section) {
            let definitions = try Self.definitions(section, file)
            for definition in definitions {
                all.append(try Self.resolved(definition, among: definitions, file))
            }
        }
        self.all = all
    }

    package func look(named name: String, _ origin: Origin) throws(UsageError) -> Look {
        guard let look = all.first(where: { $0.name == name }) else {
            throw Self.unknown(name, among: all.map(\.name), origin)
        }
        return look
    }

    private static func definitions(
        _ section: JSONNode, _ file: ConfigurationFile
    ) throws(UsageError) -> [Definition] {
        let origin = Origin.configuration(file: file.name, line: section.line, key: Self.section)
        guard section.value.members != nil else {
            throw UsageError(
                "\(origin) is \(section.value.kind), not an object.",
                remedy: #"Write it as {"shop": {"extends": "logos", "padding": "10%"}}."#)
        }
        let members = section.members
        guard members.count <= countLimit else {
            throw UsageError(
                "\(origin) defines \(members.count) looks; the limit is \(countLimit).",
                remedy: "Remove some of them.")
        }
        var definitions: [Definition] = []
        for (name, node) in members {
            definitions.append(try definition(name, node, file))
        }
        return definitions
    }

    private static func definition(
        _ name: String, _ node: JSONNode, _ file: ConfigurationFile
    ) throws(UsageError) -> Definition {
        let path = "\(section).\(PrintableText.escaped(name, limit: Look.nameLimit))"
        let origin = Origin.configuration(file: file.name, line: node.line, key: path)
        guard Look.isName(name) else {
            throw UsageError(
                "\(origin): the name of a look has 1 to \(Look.nameLimit) characters of a-z, 0-9 "
                    + "and -.", remedy: "Rename the look.")
        }
        guard !Look.builtIn.contains(where: { $0.name == name }) else {
            throw UsageError(
                "\(origin): \(name) is a built-in look.",
                remedy: "Rename the look; \"\(base)\": \"\(name)\" starts from the built-in one.")
        }
        guard node.value.members != nil else {
            throw UsageError(
                "\(origin) is \(node.value.kind), not an object.",
                remedy: #"Write it as {"extends": "logos", "padding": "10%"}."#)
        }
        var extended = Look.plain.name
        var place = origin
        var options: [(name: String, text: String)] = []
        for (key, value) in node.members {
            let origin = Origin.configuration(
                file: file.name, line: value.line,
                key: "\(path).\(PrintableText.escaped(key, limit: 80))")
            guard key == base else {
                options.append((key, try text(value.value, key, origin, file)))
                continue
            }
            guard let text = value.value.stringValue else {
                throw UsageError(
                    "\(origin) is \(value.value.kind), not the name of a look.",
                    remedy: "Write the name in quotes.")
            }
            (extended, place) = (text, origin)
        }
        return Definition(name: name, base: extended, origin: place, options: options)
    }

    /// Returns the checked text of one option of a look.
    private static func text(
        _ value: JSON, _ name: String, _ origin: Origin, _ file: ConfigurationFile
    ) throws(UsageError) -> String {
        let known = LookOption.ofLooks.map(\.name)
        guard let option = LookOption.ofLooks.first(where: { $0.name == name }) else {
            throw unknownOption(name, origin, among: known + [base])
        }
        let text = try file.texts(value, Flag(option), origin).last ?? ""
        if let problem = option.kind.problem(with: text) {
            let nearest = Spelling.nearest(to: text, among: option.kind.words)
            throw UsageError(
                "\(origin): \(problem)",
                remedy: nearest.map { "Did you mean '\($0)'?" } ?? "Correct or remove it.")
        }
        return text
    }

    /// Returns the error for an unknown member of a look.
    static func unknownOption(
        _ name: String, _ origin: Origin, among known: [String]
    ) -> UsageError {
        let nearest = Spelling.nearest(to: name, among: known)
        return UsageError(
            "\(origin) is not an option that a look can set.",
            remedy: (nearest.map { "Did you mean '\($0)'? " } ?? "")
                + "A look can set \(known.joined(separator: ", ")).")
    }

    /// Follows `extends` to a built-in look, and applies the definitions to it in reverse order.
    private static func resolved(
        _ definition: Definition, among definitions: [Definition], _ file: ConfigurationFile
    ) throws(UsageError) -> Look {
        var chain = [definition]
        var last = definition
        while !Look.builtIn.contains(where: { $0.name == last.base }) {
            guard let next = definitions.first(where: { $0.name == last.base }) else {
                let names = Look.builtIn.map(\.name) + definitions.map(\.name)
                throw unknown(last.base, among: names, last.origin)
            }
            chain.append(next)
            if let start = chain.dropLast().firstIndex(where: { $0.name == next.name }) {
                let names = chain[start...].map(\.name).joined(separator: " → ")
                throw UsageError(
                    "\(last.origin): the look extends itself: \(names).",
                    remedy: "Use a built-in look instead, such as logos.")
            }
            last = next
        }
        guard let builtIn = Look.builtIn.first(where: { $0.name == last.base }) else {
            preconditionFailure("The loop ends at a built-in look.")
        }
        let summary =
            "A look of \(PrintableText.escaped(file.name)) that extends \(definition.base)."
        return chain.reversed().reduce(builtIn) { look, next in
            look.extended(definition.name, summary, by: next.options)
        }
    }

    private static func unknown(
        _ name: String, among names: [String], _ origin: Origin
    ) -> UsageError {
        let nearest = Spelling.nearest(to: name, among: names)
        let shown = names.prefix(namesShown).joined(separator: ", ")
        let more = names.count - min(names.count, namesShown)
        return UsageError(
            "\(origin): there is no look '\(PrintableText.escaped(name, limit: 80))'.",
            remedy: (nearest.map { "Did you mean '\($0)'? " } ?? "")
                + "Known looks are \(shown)\(more > 0 ? " and \(more) more" : "").")
    }
}
