/// The custom properties (`--name`) of a document: their definitions, and their values at the
/// current element.
///
/// Definitions are read from `style` attributes and from rules with simple selectors, which test
/// one element only. A property applies to its element and all descendants until it is redefined. A
/// property that refers to itself has no value.
struct CustomProperties {
    typealias Name = String
    /// A value in which references are replaced by values; nil for a property without a value.
    typealias Value = [UInt8]?

    /// The longest value, in bytes.
    private static let valueLimit = 64 << 10
    private static let depthLimit = 32

    /// The definitions in each rule, with unresolved references.
    private var bodies: [[(name: Name, text: [UInt8])]] = []
    private var rules = StyleRules<Int>()
    /// The values of each property on the open elements, from the outermost element inwards.
    private var values: [Name: [Value]] = [:]
    /// The names that each open element defines.
    private var levels: [[Name]] = []
    /// The number of open elements below the root that define properties.
    private var localLevels = 0
    var work: SVGWork

    init(work: SVGWork) { self.work = work }

    var hasRules: Bool { !bodies.isEmpty }

    mutating func add(
        _ text: Span<UInt8>, selectors: Range<Int>, body: Range<Int>
    ) throws(DecodeError) {
        let definitions = Self.definitions(text, body)
        guard !definitions.isEmpty else { return }
        try work.spend(rules.add(text, selectors: selectors, body: bodies.count))
        bodies.append(definitions)
    }

    /// Enters an element and applies the definitions of the rules that match it and of its `style`
    /// attribute.
    mutating func enter(
        _ element: StyledElement, _ text: Span<UInt8>, style: Range<Int>?
    ) throws(DecodeError) {
        var own = try stated(for: element)
        if let style {
            for (name, value) in Self.definitions(text, style) { own[name] = value }
        }
        let names = try define(own)
        if !names.isEmpty, !levels.isEmpty { localLevels += 1 }
        levels.append(names)
    }

    mutating func leave() {
        guard let names = levels.popLast() else { return }
        if !names.isEmpty, !levels.isEmpty { localLevels -= 1 }
        for name in names { values[name]?.removeLast() }
    }

    /// Whether an open element below the root defines a property.
    var hasLocalDefinitions: Bool { localLevels > 0 }

    /// Appends the text in `range` and replaces each `var()` by the value of its property.
    /// `quoting` writes quotes in values as entities. Returns false for a reference without a
    /// value; the caller must then drop the appended text.
    mutating func append(
        _ text: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8], quoting: Bool
    ) throws(DecodeError) -> Bool {
        var open: Set<Name> = []
        return try expand(text, range, to: &output, quoting: quoting, [:], &open, depth: 0)
    }

    /// Returns the definitions in the rules that match an element. If several rules define a name,
    /// the rule of the highest specificity wins.
    private mutating func stated(for element: StyledElement) throws(DecodeError) -> [Name: [UInt8]]
    {
        guard hasRules else { return [:] }
        var own: [Name: [UInt8]] = [:]
        for body in try rules.bodies(for: element, &work) {
            try work.spend(bodies[body].count)
            for (name, text) in bodies[body] { own[name] = text }
        }
        return own
    }

    /// Resolves an element's own properties and returns their names.
    private mutating func define(_ own: [Name: [UInt8]]) throws(DecodeError) -> [Name] {
        guard !own.isEmpty else { return [] }
        var results: [(Name, Value)] = []
        for name in own.keys {
            var open: Set<Name> = []
            results.append((name, try resolve(name, own, &open, depth: 0)))
        }
        for (name, value) in results { values[name, default: []].append(value) }
        return results.map(\.0)
    }

    /// Returns the value of `name` on an element with the definitions `own`: resolved, or inherited
    /// if the element does not define it.
    private mutating func resolve(
        _ name: Name, _ own: [Name: [UInt8]], _ open: inout Set<Name>, depth: Int
    ) throws(DecodeError) -> Value {
        guard let text = own[name] else { return values[name]?.last ?? nil }
        guard depth < Self.depthLimit, open.insert(name).inserted else { return nil }
        defer { open.remove(name) }
        if text == Array("initial".utf8) { return nil }
        if text == Array("inherit".utf8) || text == Array("unset".utf8) {
            return values[name]?.last ?? nil
        }
        var output: [UInt8] = []
        let isSound = try expand(
            text.span, 0..<text.count, to: &output, quoting: false, own, &open,
            depth: depth + 1)
        return isSound && output.count <= Self.valueLimit ? output : nil
    }

    private mutating func expand(
        _ text: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8], quoting: Bool,
        _ own: [Name: [UInt8]], _ open: inout Set<Name>, depth: Int
    ) throws(DecodeError) -> Bool {
        guard depth < Self.depthLimit else { return false }
        try work.spend(range.count)
        var offset = range.lowerBound
        while let start = StyleValue.variable(in: text, offset..<range.upperBound) {
            output.append(text, offset..<start)
            let inside = start + 4
            var comma: Int?
            let close = StyleValue.end(in: text, from: inside, to: range.upperBound) {
                byte, index in
                if byte == UInt8(ascii: ","), comma == nil { comma = index }
                return byte == UInt8(ascii: ")")
            }
            guard close < range.upperBound else { return false }
            let name = text.trimmed(inside..<(comma ?? close))
            guard text.hasWord("--", at: name.lowerBound), name.count > 2 else { return false }
            if let value = try resolve(text.string(name), own, &open, depth: depth) {
                try append(value, to: &output, quoting: quoting)
            } else if let comma {
                let fallback = text.trimmed((comma + 1)..<close)
                guard
                    try expand(
                        text, fallback, to: &output, quoting: quoting, own, &open,
                        depth: depth + 1)
                else { return false }
            } else {
                return false
            }
            offset = close + 1
        }
        output.append(text, offset..<range.upperBound)
        return true
    }

    private mutating func append(
        _ value: [UInt8], to output: inout [UInt8], quoting: Bool
    ) throws(DecodeError) {
        try work.spend(value.count)
        guard quoting else {
            output += value
            return
        }
        for byte in value {
            switch byte {
            case UInt8(ascii: "\""): output.append("&quot;")
            case UInt8(ascii: "'"): output.append("&apos;")
            default: output.append(byte)
            }
        }
    }

    private static func definitions(
        _ text: Span<UInt8>, _ range: Range<Int>
    ) -> [(name: Name, text: [UInt8])] {
        guard text.contains("--", in: range) else { return [] }
        var found: [(name: Name, text: [UInt8])] = []
        var reader = StyleDeclarations(text, range)
        while let declaration = reader.next() {
            guard text.hasWord("--", at: declaration.name.lowerBound), declaration.name.count > 2,
                let value = StyleValue.unescaped(text, declaration.value)
            else { continue }
            found.append((text.string(declaration.name), withoutImportance(value)))
        }
        return found
    }

    private static func withoutImportance(_ value: [UInt8]) -> [UInt8] {
        guard let sign = value.lastIndex(of: UInt8(ascii: "!")) else { return value }
        let word = value[(sign + 1)...].filter { !SVGCharacter.isSpace($0) }
        guard word == Array("important".utf8) else { return value }
        return value.span.array(value.span.trimmed(0..<sign))
    }
}
