import Notation

/// The JSON schema of the configuration file, derived from the declared options. Editors use it for
/// completion.
package enum ConfigurationSchema {
    /// Returns the schema as JSON text.
    ///
    /// - Parameter identifier: The `$id` of the schema.
    package static func text(of tool: Tool, identifier: String) -> [UInt8] {
        var properties: [JSON.Member] = [
            JSON.Member("$schema", ["type": "string", "description": "The place of this schema."])
        ]
        for flags in variants(of: tool) { properties.append(property(flags)) }
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            json.member("$id", identifier)
            json.member("title", "\(tool.name).json")
            json.member("description", "The options of a working directory, by their long names.")
            json.member("type", "object")
            json.member("additionalProperties", false)
            json.member("properties", .object(properties))
        }
        json.endLine()
        return json.take()
    }

    /// Returns the schema of an option. The value of a list may also be an array.
    private static func property(_ flags: [Flag]) -> JSON.Member {
        var forms: [JSON] = []
        for flag in flags {
            for form in Self.forms(of: flag) where !forms.contains(form) { forms.append(form) }
        }
        var members = [JSON.Member("description", .string(flags[0].help))]
        if let text = flags[0].fallbackText {
            members[0].value = .string("\(flags[0].help) Default: \(text).")
        }
        if forms.count == 1, let form = forms[0].members {
            members += form
        } else {
            members.append(JSON.Member("anyOf", .array(forms)))
        }
        return JSON.Member(flags[0].name, .object(members))
    }

    /// Returns the options that the file can set, by name in the order of the help. Commands may
    /// declare an option of one name with different values.
    private static func variants(of tool: Tool) -> [[Flag]] {
        var groups: [[Flag]] = []
        for flag in tool.commands.filter(\.readsSettings).flatMap(\.flags)
        where flag.isInConfiguration {
            guard let index = groups.firstIndex(where: { $0[0].name == flag.name }) else {
                groups.append([flag])
                continue
            }
            if !groups[index].contains(where: { $0.kind == flag.kind }) {
                groups[index].append(flag)
            }
        }
        return groups
    }

    private static func forms(of flag: Flag) -> [JSON] {
        var forms = Self.forms(of: flag.kind)
        if !flag.offers.isEmpty { forms = [open(flag.offers)] }
        if flag.bareValue != nil { forms.append(["type": "boolean"]) }
        guard flag.isRepeatable || flag.kind.isList else { return forms }
        let items = forms.count == 1 ? forms[0] : ["anyOf": .array(forms)]
        forms.append(["type": "array", "items": items, "minItems": flag.isRepeatable ? 0 : 1])
        return forms
    }

    private static func forms(of kind: ValueKind) -> [JSON] {
        switch kind {
        case .toggle: [["type": "boolean"]]
        case .text, .file, .folder: [["type": ["string", "number"]]]
        case .choice(let words): [choice(of: words)]
        case .choices(let words, let all): list(of: all ? words + ["all"] : words)
        case .scales(let factors):
            [["enum": .array(factors.compactMap { Double($0).map { JSON.number(ofScale: $0) } })]]
                + list(of: factors)
        case .whole(let range): [number("integer", range), pattern("^-?[0-9]+$")]
        case .wholes(let range):
            [number("integer", range), pattern("^ *[0-9]+ *(, *[0-9]+ *)*$")]
        case .lengths(let range, _):
            [number("number", range), pattern("^ *[0-9.]+ *(, *[0-9.]+ *)*$")]
        case .bytes(let range):
            [number("integer", range), pattern("^[0-9.]+([KMGTkmgt]([Ii]?[Bb])?)?$")]
        case .count(let range): [number("integer", range), pattern("^[0-9.]+[KMGkmg]?$")]
        case .decimal(let range): [number("number", range), pattern("^-?[0-9.]+$")]
        case .seconds(let range):
            [number("number", range), pattern("^[0-9.]+([Mm]?[Ss]|[MmHh])?$")]
        case .quality:
            [number("integer", 1...100), pattern("^(lossless|[0-9]+)$")]
        case .color: [pattern("^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$")]
        case .choiceOrColor(let words):
            [choice(of: words), pattern("^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$")]
        case .tolerance: [number("integer", 0...Int.max), pattern("^([0-9]+|[0-9.]+%)$")]
        case .percent: [["type": ["string", "number"]]]
        case .inset:
            [
                number("number", 0...1000), pattern("^(safe|[0-9.]+%?)$"),
                choice(of: kind.words),
            ]
        case .point: [pattern("^ *[0-9.]+ *, *[0-9.]+ *$")]
        }
    }

    private static func open(_ words: [String]) -> JSON {
        ["type": ["string", "number"], "examples": .array(words.map { .string($0) })]
    }

    private static func choice(of words: [String]) -> JSON {
        ["enum": .array(words.map { .string($0) })]
    }

    /// Returns the forms of a list of words: one word, or several separated by commas.
    private static func list(of words: [String]) -> [JSON] {
        let choices = words.map { $0.replacing(".", with: "\\.") }
        let choice = "(\(choices.joined(separator: "|")))"
        return [Self.choice(of: words), pattern("^ *\(choice) *(, *\(choice) *)*$")]
    }

    private static func pattern(_ text: String) -> JSON {
        ["type": "string", "pattern": .string(text)]
    }

    private static func number<Bound: Comparable>(
        _ type: String, _ range: ClosedRange<Bound>
    ) -> JSON {
        func bound(_ value: Bound) -> JSON? {
            if let whole = value as? Int { return whole == .max ? nil : .number(JSONNumber(whole)) }
            guard let decimal = value as? Double, decimal.isFinite else { return nil }
            return JSON.number(ofScale: decimal)
        }
        var members = [JSON.Member("type", .string(type))]
        if let low = bound(range.lowerBound) { members.append(JSON.Member("minimum", low)) }
        if let high = bound(range.upperBound) { members.append(JSON.Member("maximum", high)) }
        return .object(members)
    }
}
