import Notation

/// The options of a working directory: one JSON object of long names and values.
package struct ConfigurationFile: Sendable {
    /// The name in error messages.
    package let name: String
    private let document: JSONDocument

    package init(name: String, _ bytes: Span<UInt8>) throws(UsageError) {
        self.name = name
        do throws(JSONError) {
            document = try JSONParser.document(bytes, limits: JSONLimits(bytes: 1 << 20))
        } catch {
            let fault = if case .duplicateName = error.reason { "" } else { " is not JSON" }
            throw UsageError("\(name)\(fault): \(error).", remedy: "Correct or remove it.")
        }
        guard document.root.members != nil else {
            throw UsageError(
                "\(name) must be a JSON object, not \(document.root.kind).",
                remedy: #"Write it as {"layout": "small"}."#)
        }
    }

    /// Returns the settings for the options of a command. A key of another command is ignored. An unknown key is
    /// an error, since a misspelt key would silently have no effect.
    func settings(for flags: [Flag], of tool: Tool) throws(UsageError) -> [String: [Setting]] {
        var settings: [String: [Setting]] = [:]
        // Editors look at `$schema` for the schema of the file.
        for member in document.root.members ?? []
        where member.name != "$schema" {
            let line = document.line(of: [member.name]) ?? 1
            let shown = PrintableText.escaped(member.name, limit: 80)
            let origin = Origin.configuration(file: name, line: line, key: shown)
            guard let flag = flags.first(where: { $0.name == member.name && $0.isInConfiguration })
            else {
                try checkOtherKey(member.name, origin, tool)
                continue
            }
            if flag.bareValue != nil, member.value == .bool(false) { continue }
            settings[flag.name] = try texts(member.value, flag, origin).map { Setting($0, origin) }
        }
        return settings
    }

    /// Refuses a key that no command accepts in this file.
    private func checkOtherKey(
        _ key: String, _ origin: Origin, _ tool: Tool
    ) throws(UsageError) {
        let known = tool.commands.flatMap(\.flags)
        let named = known.filter { $0.name == key }
        if named.contains(where: \.isInConfiguration) { return }
        guard named.isEmpty else {
            throw UsageError(
                "\(origin) cannot be set in the configuration file.",
                remedy: "Remove the key, and type --\(key) instead.")
        }
        for name in ["--\(key)", key] {
            if let error = tool.goneError(name, at: origin) { throw error }
        }
        var error = UsageError.unknown(
            "option", key,
            among: known.filter(\.isInConfiguration).map(\.name),
            fallback: "Remove the key; 'emblem help batch' lists the options.")
        error.message = "\(origin): \(error.message)"
        throw error
    }

    /// Returns the command-line texts of a value.
    private func texts(
        _ value: JSON, _ flag: Flag, _ origin: Origin
    ) throws(UsageError) -> [String] {
        guard case .array(let elements) = value else { return [try text(value, flag, origin)] }
        guard flag.shape.isList || flag.isRepeatable else {
            throw wrong(value.kind, flag, origin)
        }
        var texts: [String] = []
        for element in elements { texts.append(try text(element, flag, origin)) }
        if flag.isRepeatable { return texts }
        if texts.isEmpty { throw wrong("an empty array", flag, origin) }
        // A comma inside an element would split it in two; no allowed word contains one.
        guard !texts.contains(where: { $0.contains(",") }) else {
            throw wrong(value.kind, flag, origin)
        }
        return [texts.joined(separator: ",")]
    }

    private func text(_ value: JSON, _ flag: Flag, _ origin: Origin) throws(UsageError) -> String {
        switch (value, flag.shape.takesValue) {
        case (.bool(let value), false): return value ? "true" : "false"
        case (.bool(true), _):
            guard let bare = flag.bareValue else { throw wrong(value.kind, flag, origin) }
            return bare
        case (.string(let text), true): return text
        case (.number(let number), true): return number.text
        default: throw wrong(value.kind, flag, origin)
        }
    }

    private func wrong(_ kind: String, _ flag: Flag, _ origin: Origin) -> UsageError {
        UsageError(
            "\(origin) is \(kind), which is not a valid value.",
            remedy: "Write \(flag.shape.wanted)\(flag.shape.takesValue ? "" : ", without quotes")."
        )
    }
}
