/// Follows references until a value stands there.
struct TokenResolver {
    /// References in a row; nobody writes so many, and the walk must end.
    static let chainLimit = 64

    private let definitions: [String: TokenDefinition]
    private let scheme: ColorScheme
    /// Every token that was read or passed through.
    private(set) var used: Set<String> = []

    init(_ definitions: [String: TokenDefinition], scheme: ColorScheme) {
        self.definitions = definitions
        self.scheme = scheme
    }

    /// The value of the token at `path`, which is defined, as one of `kind`.
    mutating func value(
        of path: String, as kind: TokenKind
    ) throws(ThemeError) -> TokenValue {
        var chain = [path]
        var referrer: TokenPlace?
        while let written = definitions[chain[chain.count - 1]]?.written(in: scheme) {
            used.insert(chain[chain.count - 1])
            guard let target = TokenLiteral.reference(written.value) else {
                let value = try literal(written, as: kind, referrer: referrer)
                try check(value, of: path, at: referrer ?? written.place)
                return value
            }
            referrer = written.place
            guard definitions[target] != nil else {
                throw .unknownReference(written.place, reference: target)
            }
            let isCycle = chain.contains(target)
            chain.append(target)
            if isCycle || chain.count > Self.chainLimit {
                throw .cycle(written.place, chain: chain)
            }
        }
        preconditionFailure("A token that is resolved is defined.")
    }

    /// An emblem of no height cannot be drawn; the upper bounds keep every later product small.
    private func check(
        _ value: TokenValue, of path: String, at place: TokenPlace
    ) throws(ThemeError) {
        guard case .dimension(let number) = value else { return }
        let isHeight = path.hasPrefix("theme.dimension.height.")
        let allowed = isHeight ? 1.0...2048.0 : 0.0...10_000.0
        guard !allowed.contains(number) else { return }
        throw .outOfRange(
            place, value: value.description,
            allowed: "\(Int(allowed.lowerBound)) to \(Int(allowed.upperBound))")
    }

    /// A sound value of the other kind is the fault of the token that refers to it.
    private func literal(
        _ written: TokenDefinition.Written, as kind: TokenKind, referrer: TokenPlace?
    ) throws(ThemeError) -> TokenValue {
        do throws(ThemeError) {
            return try TokenLiteral.read(written, as: kind)
        } catch {
            let other: TokenKind = kind == .color ? .dimension : .color
            guard let referrer else { throw error }
            do throws(ThemeError) {
                _ = try TokenLiteral.read(written, as: other)
            } catch _ {
                throw error
            }
            throw .wrongType(
                referrer, expected: kind.name,
                found: "a reference to {\(written.place.path)}, which is \(other.name)")
        }
    }
}
