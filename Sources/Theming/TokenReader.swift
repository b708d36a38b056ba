import Notation

/// Finds the tokens in a file, in plain form and in the W3C form, also mixed.
///
/// A group is an object; its members' names are joined by dots, so a name with dots in it says the
/// same as nested groups. A token is a string or number, a W3C object with `$value` (or `$ref`), or
/// a colour or dimension object as of 2025.10. `TokenReader+Schemes` says how light and dark are
/// told. A value without schemes holds in both.
struct TokenReader {
    /// A group that takes over the tokens of another.
    struct Inheritance {
        let group: String
        let target: TokenReference
        let location: TokenLocation
    }

    /// More than any file of people has; what inherits can grow far beyond what is written.
    static let tokensLimit = 200_000

    /// Every token found.
    var tokens: [String: TokenDefinition] = [:]
    /// The paths of those that a person would call tokens, in the order of the file.
    private(set) var paths: [String] = []
    /// Other paths under which tokens are reached, with the ones that they have.
    private(set) var aliases: [String: String] = [:]
    /// Paths of groups, also of empty ones.
    private(set) var groups: Set<String> = []
    private(set) var inheritances: [Inheritance] = []
    private(set) var warnings: [ThemeWarning] = []
    private let file: String
    private let kinds: [String: TokenKind]

    /// What is handed down from group to group.
    struct Context {
        var path = ""
        /// The path as it stands in the file.
        var shown = ""
        /// The W3C type of the nearest group that names one.
        var type: String?
        /// The scheme that a group around stands for.
        var scheme: ColorScheme?
        /// The path of what is meant, where this is only another name for it.
        var meant: String?

        func entering(_ name: String) -> Context {
            var inner = self
            inner.shown = Self.joined(shown, name)
            // A root token has the path of its group.
            guard name != "$root" else { return inner }
            inner.path = Self.joined(path, name)
            inner.meant = meant.map { Self.joined($0, name) }
            return inner
        }

        /// The same thing as another name for what has the path already.
        func renamed(_ name: String) -> Context {
            var other = self
            other.path = Self.joined(path, name)
            other.meant = path
            other.scheme = nil
            return other
        }

        private static func joined(_ path: String, _ name: String) -> String {
            path.isEmpty ? name : path + "." + name
        }
    }

    /// Reads `bytes`; `kinds` are the tokens that must not be groups.
    init(_ bytes: Span<UInt8>, file: String, kinds: [String: TokenKind]) throws(ThemeError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONParser.document(
                bytes, limits: JSONLimits(bytes: 4 << 20, depth: 64, values: Self.tokensLimit))
        } catch {
            throw .badJSON(file: file, error)
        }
        self.file = file
        self.kinds = kinds
        let root = document.node
        guard case .object = root.value else {
            throw .wrongType(
                TokenLocation(file: file, path: "(root)", line: root.line), expected: "an object",
                found: root.value.kind)
        }
        if case .schemeGroups = Self.shape(of: root) {
            try readSchemeGroups(root, Context())
        } else {
            try readGroup(root, Context())
        }
    }

    private mutating func read(_ node: JSONNode, _ context: Context) throws(ThemeError) {
        switch Self.shape(of: node) {
        case .value: add(node, context)
        case .schemes: addSchemes(node, context)
        // A scheme inside of a scheme is an ordinary name.
        case .schemeGroups where context.meant == nil && context.scheme == nil:
            try readSchemeGroups(node, context)
        case .schemeGroups, .group: try readGroup(node, context)
        }
    }

    mutating func readGroup(_ node: JSONNode, _ context: Context) throws(ThemeError) {
        var context = context
        let members = node.members
        groups.insert(context.path)
        let hasRoot = members.contains { $0.name == "$root" }
        if context.meant == nil, !hasRoot, let kind = kinds[context.path] {
            throw .wrongType(location(node, context), expected: kind.name, found: "a group")
        }
        for member in members where member.name == "$type" {
            context.type = member.node.value.stringValue ?? context.type
        }
        for member in members {
            switch member.name {
            case "$extends", "$ref": inherit(member.node, context)
            case "$root": try read(member.node, context.entering("$root"))
            case _ where member.name.hasPrefix("$"): continue
            default: try read(member.node, context.entering(member.name))
            }
        }
    }

    private mutating func inherit(_ node: JSONNode, _ context: Context) {
        let location = location(node, context)
        guard let text = node.value.stringValue, let target = TokenReference(group: text) else {
            warn(location, "ignoring $extends; write {a.group} or #/a/group")
            return
        }
        inheritances.append(Inheritance(group: context.path, target: target, location: location))
    }

    private mutating func add(_ node: JSONNode, _ context: Context) {
        let location = location(node, context)
        if case .object(let members) = node.value, members.contains(where: { $0.name == "$value" }),
            let child = members.first(where: { !$0.name.hasPrefix("$") })
        {
            warn(
                location,
                "ignoring \(child.name): a token with $value cannot have other tokens")
        }
        keep(definition(of: node, context, at: location), context)
    }

    /// Keeps a token; inside of a group for one scheme, only its value for that.
    mutating func keep(_ definition: TokenDefinition, _ context: Context) {
        var definition = definition
        if let scheme = context.scheme, let written = definition.written(in: scheme) {
            definition = tokens[context.path] ?? TokenDefinition()
            definition.set(written, in: scheme)
        }
        let isNew = tokens.updateValue(definition, forKey: context.path) == nil
        if let meant = context.meant {
            aliases[context.path] = meant
        } else if isNew {
            paths.append(context.path)
        }
    }

    private mutating func warn(_ location: TokenLocation, _ reason: String) {
        warnings.append(ThemeWarning(location: location, reason: reason))
    }

    func location(_ node: JSONNode, _ context: Context) -> TokenLocation {
        TokenLocation(
            file: file, path: context.shown.isEmpty ? "(root)" : context.shown, line: node.line)
    }
}

/// How a file tells light from dark.
///
/// A token may be an object of `light` and `dark`, itself or as its `$value`; it may carry the
/// other schemes' values in `$extensions` under `mode` or `modes`; and whole groups may be called
/// `light` and `dark`, at the top of the file or further in, whose tokens then count as if the
/// scheme stood at each of them.
extension TokenReader {
    enum Shape {
        case value
        /// One value for each scheme.
        case schemes
        /// One group for each scheme.
        case schemeGroups
        case group
    }

    static func shape(of node: JSONNode) -> Shape {
        guard case .object(let members) = node.value else { return .value }
        func has(_ name: String) -> Bool { members.contains { $0.name == name } }
        let children = members.filter { !$0.name.hasPrefix("$") }
        if has("$value") || has("$ref") && children.isEmpty { return .value }
        if has("colorSpace") || has("value") && has("unit") && children.count == 2 { return .value }
        guard !has("$root"), !has("$extends"), !has("$ref"), !children.isEmpty,
            children.allSatisfy({ ColorScheme(rawValue: $0.name) != nil })
        else { return .group }
        let inner = node.members.filter { !$0.name.hasPrefix("$") }.map { shape(of: $0.node) }
        if inner.allSatisfy({ $0.isValue }) { return .schemes }
        return inner.contains { $0.isValue } ? .group : .schemeGroups
    }

    /// A token whose members are its schemes; each is a token of its own for who refers to it.
    mutating func addSchemes(_ node: JSONNode, _ context: Context) {
        var definition = TokenDefinition()
        var context = context
        for (name, inner) in node.members where name == "$type" {
            context.type = inner.value.stringValue ?? context.type
        }
        for (name, inner) in node.members {
            guard let scheme = ColorScheme(rawValue: name) else { continue }
            var location = location(node, context)
            location.line = inner.line
            let one = self.definition(of: inner, context, at: location)
            if let written = one.written(in: scheme) { definition.set(written, in: scheme) }
            keep(one, context.renamed(name))
        }
        keep(definition, context)
    }

    /// Groups that are called after a scheme: their tokens have the paths of the group around, and
    /// for who refers to them also their own.
    mutating func readSchemeGroups(_ node: JSONNode, _ outer: Context) throws(ThemeError) {
        let type = node["$type"]?.value.stringValue ?? outer.type
        for (name, inner) in node.members {
            guard let scheme = ColorScheme(rawValue: name) else { continue }
            var context = outer.entering(name)
            context.path = outer.path
            context.scheme = scheme
            context.type = type
            try readGroup(inner, context)
            var alias = outer.renamed(name)
            alias.shown = context.shown
            alias.type = type
            try readGroup(inner, alias)
        }
    }

    /// What a value says, taken out of its W3C object.
    func definition(
        of node: JSONNode, _ context: Context, at location: TokenLocation
    ) -> TokenDefinition {
        var written = TokenDefinition.Written(
            value: node.value, type: context.type, location: location)
        Self.unwrap(&written, node)
        var definition = TokenDefinition(light: written, dark: written)
        if let inner = node["$value"], case .schemes = Self.shape(of: inner) {
            definition = TokenDefinition()
            for (name, one) in inner.members {
                guard let scheme = ColorScheme(rawValue: name) else { continue }
                definition.set(Self.sibling(of: written, one), in: scheme)
            }
        }
        for (scheme, one) in modes(of: node) {
            definition.set(Self.sibling(of: written, one), in: scheme)
        }
        return definition
    }

    /// A value beside another, with its type and its own line.
    private static func sibling(
        of written: TokenDefinition.Written, _ node: JSONNode
    ) -> TokenDefinition.Written {
        var one = written
        one.value = node.value
        one.location.line = node.line
        unwrap(&one, node)
        return one
    }

    private static func unwrap(_ written: inout TokenDefinition.Written, _ node: JSONNode) {
        if let own = node.value["$type"]?.stringValue {
            written.type = own
            written.isTypeOwn = true
        }
        guard let inner = node.value["$value"] else { return }
        written.value = inner
        written.isW3C = true
    }

    /// What exporters put beside the value for the schemes they call modes.
    private func modes(of node: JSONNode) -> [(ColorScheme, JSONNode)] {
        guard node.value["$value"] != nil, let extensions = node["$extensions"] else { return [] }
        for owner in [extensions, extensions["com.figma"]].compactMap({ $0 }) {
            guard let modes = owner["mode"] ?? owner["modes"] else { continue }
            return modes.members.compactMap { name, inner in
                ColorScheme(rawValue: name.lowercased()).map { ($0, inner) }
            }
        }
        return []
    }
}

extension TokenReader.Shape {
    fileprivate var isValue: Bool {
        switch self {
        case .value, .schemes: true
        case .schemeGroups, .group: false
        }
    }
}
