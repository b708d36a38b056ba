import Notation

/// A resolver that follows references to literal values.
struct TokenResolver {
    /// The maximum length of a chain of references; it guarantees termination.
    static let chainLimit = 64
    /// The maximum number of references that one value may have through its parts.
    private static let stepsLimit = 4_096

    private let definitions: [String: TokenDefinition]
    private let scheme: ColorScheme
    /// Every token that was read, directly or through a reference.
    private(set) var used: Set<String> = []
    private(set) var warnings: [ThemeWarning] = []
    private var steps = 0

    init(_ definitions: [String: TokenDefinition], scheme: ColorScheme) {
        self.definitions = definitions
        self.scheme = scheme
    }

    /// A literal value, and the location of the token that referred to it, if any.
    private struct Found {
        var written: TokenDefinition.Written
        var referrer: TokenLocation?
    }

    /// Returns the value of the token at `path`, which must be defined, as a value of `kind`.
    mutating func value(
        of path: String, as kind: TokenKind
    ) throws(ThemeError) -> TokenValue {
        steps = 0
        var chain = [path]
        let found = try follow(&chain, as: kind)
        let value = try literal(found.written, as: kind, referrer: found.referrer)
        try check(value, of: path, at: found.referrer ?? found.written.location)
        return value
    }

    /// Follows the last token of the chain to a literal value.
    ///
    /// - Parameter kind: the expected kind of the token; nil for a part of a value.
    private mutating func follow(
        _ chain: inout [String], as kind: TokenKind?
    ) throws(ThemeError) -> Found {
        var referrer: TokenLocation?
        while let written = definitions[chain[chain.count - 1]]?.written(in: scheme) {
            used.insert(chain[chain.count - 1])
            guard let target = TokenReference(written.value) else {
                var plain = written
                plain.value = try expanded(written.value, at: written.location, chain)
                return Found(written: plain, referrer: referrer)
            }
            if let kind, written.isTypeOwn, let type = written.type {
                try TokenLiteral.check(type, against: kind, at: written.location)
            }
            referrer = written.location
            try step(to: target, from: written.location, &chain)
            guard target.property.isEmpty else {
                var part = written
                part.value = try self.part(target, from: written.location, chain)
                return Found(written: part, referrer: nil)
            }
        }
        preconditionFailure("A token that is resolved is defined.")
    }

    /// Appends the target of a reference to the chain, unless it is unknown or closes a cycle.
    private mutating func step(
        to target: TokenReference, from location: TokenLocation, _ chain: inout [String]
    ) throws(ThemeError) {
        guard definitions[target.path] != nil else {
            throw .unknownReference(location, reference: target.path)
        }
        let isCycle = chain.contains(target.path)
        chain.append(target.path)
        steps += 1
        if isCycle || chain.count > Self.chainLimit { throw .cycle(location, chain: chain) }
        guard steps <= Self.stepsLimit else {
            throw .tooMany(location, what: "references in one value", limit: Self.stepsLimit)
        }
    }

    /// Returns the part of a token's value to which a reference points.
    private mutating func part(
        _ reference: TokenReference, from location: TokenLocation, _ chain: [String]
    ) throws(ThemeError) -> JSON {
        var chain = chain
        let whole = try follow(&chain, as: nil)
        guard let part = whole.written.value[path: reference.property],
            TokenReference(part) == nil
        else { throw .unknownReference(location, reference: "\(reference)") }
        return part
    }

    /// Returns a value whose parts have their references replaced.
    private mutating func expanded(
        _ value: JSON, at location: TokenLocation, _ chain: [String]
    ) throws(ThemeError) -> JSON {
        switch value {
        case .object(let members):
            if let reference = TokenReference(value) {
                var chain = chain
                try step(to: reference, from: location, &chain)
                return try part(reference, from: location, chain)
            }
            var copy: [JSON.Member] = []
            for member in members {
                copy.append(
                    JSON.Member(member.name, try expanded(member.value, at: location, chain)))
            }
            return .object(copy)
        case .array(let elements):
            var copy: [JSON] = []
            for element in elements { copy.append(try expanded(element, at: location, chain)) }
            return .array(copy)
        default: return value
        }
    }

    /// Rejects emblems without height. The upper limits also bound the sizes that are computed from
    /// a dimension.
    private func check(
        _ value: TokenValue, of path: String, at location: TokenLocation
    ) throws(ThemeError) {
        guard case .dimension(let number) = value else { return }
        let isHeight = path.hasPrefix("theme.dimension.height.")
        let allowed = isHeight ? 1.0...2048.0 : 0.0...10_000.0
        guard !allowed.contains(number) else { return }
        throw .outOfRange(
            location, value: value.description,
            allowed: "\(Int(allowed.lowerBound)) to \(Int(allowed.upperBound))")
    }

    /// Parses a literal. If the literal is valid but of the other kind, the error is reported at
    /// the token that refers to it.
    private mutating func literal(
        _ written: TokenDefinition.Written, as kind: TokenKind, referrer: TokenLocation?
    ) throws(ThemeError) -> TokenValue {
        do throws(ThemeError) {
            let value = try TokenLiteral.read(written, as: kind)
            if let advice = TokenLiteral.advice(written, value) {
                warnings.append(ThemeWarning(location: written.location, reason: advice))
            }
            return value
        } catch {
            let other: TokenKind = kind == .color ? .dimension : .color
            guard let referrer, (try? TokenLiteral.read(written, as: other)) != nil else {
                throw error
            }
            throw .wrongType(
                referrer, expected: kind.name,
                found: "a reference to {\(written.location.path)}, which is \(other.name)")
        }
    }
}
