import Notation

/// The inheritance of tokens between groups by `$extends`.
///
/// A group's own tokens take precedence. An inherited token keeps the location of its definition,
/// which messages show. A file can also inherit groups of the theme over which it is layered.
struct TokenInheritance {
    private static let groupsLimit = 1_000

    private enum State { case pending, inProgress, resolved }

    private let inheritances: [TokenReader.Inheritance]
    private let groups: Set<String>
    private let base: [String: TokenDefinition]
    private var tokens: [String: TokenDefinition]
    /// The paths of the tokens in each group that is inherited.
    private var contents: [String: [String]] = [:]
    private var states: [State]

    /// Returns the tokens of a file, including inherited ones.
    static func resolve(
        _ reader: TokenReader, over base: [String: TokenDefinition]
    ) throws(ThemeError) -> [String: TokenDefinition] {
        var inheritance = TokenInheritance(reader, base)
        try inheritance.resolve()
        return inheritance.tokens
    }

    private init(_ reader: TokenReader, _ base: [String: TokenDefinition]) {
        var inheritances = reader.inheritances
        // An object with only a `$ref` may refer to a token or to a group; no path is both.
        for path in reader.paths {
            guard let written = reader.tokens[path]?.light, written.value["$ref"] != nil,
                let target = TokenReference(written.value), target.property.isEmpty,
                reader.tokens[target.path] == nil, reader.groups.contains(target.path)
            else { continue }
            inheritances.append(
                TokenReader.Inheritance(group: path, target: target, location: written.location))
        }
        self.inheritances = inheritances
        self.base = base
        groups = reader.groups
        tokens = reader.tokens
        states = Array(repeating: .pending, count: inheritances.count)
    }

    private mutating func resolve() throws(ThemeError) {
        guard let last = inheritances.last else { return }
        guard inheritances.count <= Self.groupsLimit else {
            throw .tooMany(last.location, what: "groups with $extends", limit: Self.groupsLimit)
        }
        for inheritance in inheritances { contents[inheritance.target.path] = [] }
        for path in Set(tokens.keys).union(base.keys).sorted() { note(path) }
        for index in inheritances.indices { try resolve(index) }
    }

    /// Adds a token to the contents of each inherited group that contains it.
    private mutating func note(_ path: String) {
        for dot in path.indices where path[dot] == "." {
            contents[String(path[..<dot])]?.append(path)
        }
    }

    private mutating func resolve(_ index: Int) throws(ThemeError) {
        guard states[index] == .pending else { return }
        states[index] = .inProgress
        let (own, target) = (inheritances[index].group, inheritances[index].target.path)
        let location = inheritances[index].location
        // Groups that overlap the target must be resolved first.
        for other in inheritances.indices where Self.overlap(inheritances[other].group, target) {
            guard states[other] != .inProgress else {
                throw .cycle(location, chain: [own, target, inheritances[other].group])
            }
            try resolve(other)
        }
        let found = contents[target] ?? []
        guard !found.isEmpty || groups.contains(target) else {
            guard tokens[target] ?? base[target] == nil else {
                throw .wrongType(location, expected: "a group", found: "the token {\(target)}")
            }
            throw .unknownReference(location, reference: target)
        }
        for path in found {
            let copy = own + path.dropFirst(target.count)
            guard tokens[copy] == nil, let definition = tokens[path] ?? base[path] else { continue }
            tokens[copy] = definition
            if base[copy] == nil { note(copy) }
            guard tokens.count <= TokenReader.tokensLimit else {
                throw .tooMany(location, what: "tokens", limit: TokenReader.tokensLimit)
            }
        }
        states[index] = .resolved
    }

    /// Returns whether one group contains the other.
    private static func overlap(_ one: String, _ other: String) -> Bool {
        one == other || one.hasPrefix(other + ".") || other.hasPrefix(one + ".")
            || one.isEmpty || other.isEmpty
    }
}
