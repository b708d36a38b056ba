import Notation

/// Finds the tokens in a file, in the plain form, in the W3C form, or in a mix of both.
///
/// A group is an object. Names are joined by dots, so a name with dots is equivalent to nested
/// groups. A token is a string, a number, a W3C object with `$value` (or `$ref`), or a colour or
/// dimension object of 2025.10. A value without a scheme applies to both schemes; the extension
/// below describes schemes.
struct TokenReader {
    struct Inheritance {
        let group: String
        let target: TokenReference
        let location: TokenLocation
    }

    /// The maximum number of tokens; inheritance can produce many more than are written.
    static let tokensLimit = 200_000

    var tokens: [String: TokenDefinition] = [:]
    /// The paths of the tokens that the file defines itself, in its order.
    private(set) var paths: [String] = []
    /// Alternative paths of tokens, with their actual paths.
    private(set) var aliases: [String: String] = [:]
    private(set) var groups: Set<String> = []
    private(set) var inheritances: [Inheritance] = []
    private(set) var warnings: [ThemeWarning] = []
    private let file: String
    private let kinds: [String: TokenKind]

    /// The state that is passed from group to group.
    struct Context {
        var path = ""
        /// The path as written in the file.
        var shown = ""
        /// The W3C type of the nearest group that has one.
        var type: String?
        /// The scheme of an enclosing group.
        var scheme: ColorScheme?
        /// The actual path, if `path` is an alternative.
        var actualPath: String?

        func entering(_ name: String) -> Context {
            var inner = self
            inner.shown = Self.joined(shown, name)
            // `$root` names the token that has the path of the group itself.
            guard name != "$root" else { return inner }
            inner.path = Self.joined(path, name)
            inner.actualPath = actualPath.map { Self.joined($0, name) }
            return inner
        }

        /// Returns a context for an alternative name of the current path.
        func renamed(_ name: String) -> Context {
            var other = self
            other.path = Self.joined(path, name)
            other.actualPath = path
            other.scheme = nil
            return other
        }

        private static func joined(_ path: String, _ name: String) -> String {
            path.isEmpty ? name : path + "." + name
        }
    }

    /// Reads `bytes`; `kinds` lists the tokens that must not be groups.
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
        // Inside a scheme, a scheme's name is an ordinary name.
        case .schemeGroups where context.actualPath == nil && context.scheme == nil:
            try readSchemeGroups(node, context)
        case .schemeGroups, .group: try readGroup(node, context)
        }
    }

    mutating func readGroup(_ node: JSONNode, _ context: Context) throws(ThemeError) {
        var context = context
        let members = node.members
        groups.insert(context.path)
        let hasRoot = members.contains { $0.name == "$root" }
        if context.actualPath == nil, !hasRoot, let kind = kinds[context.path] {
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
        store(definition(of: node, context, at: location), context)
    }

    /// Stores a token; inside a group for one scheme, only the value for that scheme.
    mutating func store(_ definition: TokenDefinition, _ context: Context) {
        var definition = definition
        if let scheme = context.scheme, let written = definition.written(in: scheme) {
            definition = tokens[context.path] ?? TokenDefinition()
            definition.set(written, in: scheme)
        }
        let isNew = tokens.updateValue(definition, forKey: context.path) == nil
        if let actualPath = context.actualPath {
            aliases[context.path] = actualPath
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

/// The schemes of a file.
///
/// A token, or its `$value`, may be an object with `light` and `dark`. A token may have the other
/// scheme's value in `$extensions` under `mode` or `modes`. Groups at any level may be named
/// `light` and `dark`; their tokens then have that scheme.
extension TokenReader {
    enum Shape {
        case value
        case schemes
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

    /// Adds a token whose members are its schemes; each can also be referenced as a separate token.
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
            store(one, context.renamed(name))
        }
        store(definition, context)
    }

    /// Reads groups named after a scheme. Their tokens have the path of the enclosing group, and
    /// can also be referenced by a path with the scheme.
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

    /// Returns the values of a token in both schemes, unwrapped from their W3C object.
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
                definition.set(Self.schemeValue(of: written, one), in: scheme)
            }
        }
        for (scheme, one) in modes(of: node) {
            definition.set(Self.schemeValue(of: written, one), in: scheme)
        }
        return definition
    }

    /// Returns the value of the token in one scheme, with the type and the line of `node`.
    private static func schemeValue(
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
