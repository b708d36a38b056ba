import Notation

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
