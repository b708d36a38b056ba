/// Writes style sheets without rules inside of rules, which librsvg 2.54 leaves out: nested rules
/// get selectors of their own, and blocks of `@layer`, `@supports` and `@media` that hold are taken
/// out of their braces.
///
/// Layers come first, since what stands in none of them wins. Blocks that ask for a colour scheme
/// stay, and so do those of which only a browser knows whether they hold.
struct StyleFlattener {
    /// Blocks in blocks beyond this stay as they are.
    private static let depthLimit = 8
    /// The most selectors that one nested rule comes to.
    private static let selectorsLimit = 64

    private let bytesLimit: Int
    /// What stood in layers, and what did not.
    private var layers: [UInt8] = []
    private var layerBlocks = 0
    private var ordersLayers = false

    /// What layers say of precedence is more than the order of rules and the weight of selectors can:
    /// they are put in another order than they stand in, or an identifier in one outweighs a rule that
    /// should win. `FeatureCensus` sees the block that is left for it.
    private var leftOver: [UInt8] {
        let isMixed = layerBlocks > 1 || !rules.allSatisfy { $0 <= UInt8(ascii: " ") }
        let isTurned =
            (ordersLayers && layerBlocks > 1)
            || (layerBlocks > 0 && isMixed && Self.namesAnIdentifier(layers))
        return isTurned ? Array("@layer{}".utf8) : []
    }

    private static func namesAnIdentifier(_ rules: [UInt8]) -> Bool {
        var depth = 0
        for byte in rules {
            switch byte {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "#") where depth == 0: return true
            default: continue
            }
        }
        return false
    }
    private var rules: [UInt8] = []

    private init(bytesLimit: Int) { self.bytesLimit = bytesLimit }

    static func write(_ text: Span<UInt8>, bytesLimit: Int) throws(DecodeError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count + 1024)
        var walker = XMLWalker(text)
        var copied = 0
        var isSheet = false
        while true {
            switch walker.next() {
            case .open(let name, _, let isEmpty):
                isSheet = !isEmpty && walker.text(name).hasSuffix("style")
            case .close: isSheet = false
            case .text(let range):
                guard isSheet else { continue }
                let isRaw = range.lowerBound > walker.start
                let sheet = isRaw ? text.array(range) : XMLSign.resolved(text, range)
                var flattener = StyleFlattener(bytesLimit: bytesLimit - output.count)
                try flattener.write(
                    sheet.span, 0..<sheet.count, Context(selectors: nil, depth: 0, target: .rules))
                output.append(text, copied..<range.lowerBound)
                for byte in flattener.layers + flattener.rules + flattener.leftOver {
                    switch byte {
                    case UInt8(ascii: "&") where !isRaw: output.append("&amp;")
                    case UInt8(ascii: "<") where !isRaw: output.append("&lt;")
                    default: output.append(byte)
                    }
                }
                copied = range.upperBound
            case .doctype: continue
            case .end, .cut:
                output.append(text, copied..<text.count)
                return output
            }
        }
    }

    /// The selectors around a block, its depth, and which part of the output it goes to.
    private struct Context {
        /// Of the rules around it; nil outside of all.
        var selectors: [String]?
        var depth: Int
        var target: Target
        /// It lies in a block that stays.
        var isHeld = false

        enum Target { case layers, rules }

        func deeper() -> Context {
            var context = self
            context.depth += 1
            return context
        }
    }

    private mutating func write(
        _ text: Span<UInt8>, _ range: Range<Int>, _ context: Context
    ) throws(DecodeError) {
        var index = range.lowerBound
        var declarations: [UInt8] = []
        while index < range.upperBound {
            let start = index
            let sign = StyleValue.end(in: text, from: start, to: range.upperBound) { byte, _ in
                [UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";")].contains(byte)
            }
            guard sign < range.upperBound, text[sign] == UInt8(ascii: "{") else {
                index = min(sign + 1, range.upperBound)
                if context.selectors != nil {
                    declarations.append(text, start..<index)
                } else if Self.begins(text, start..<index, with: "@layer") {
                    ordersLayers = true
                } else {
                    try append(text.array(start..<index), to: context.target)
                }
                continue
            }
            let close = Self.close(in: text, from: sign + 1, to: range.upperBound)
            index = min(close + 1, range.upperBound)
            try flush(&declarations, context)
            try write(text, prelude: start..<sign, body: (sign + 1)..<close, context)
        }
        try flush(&declarations, context)
    }

    /// Writes a block with what stands before it.
    private mutating func write(
        _ text: Span<UInt8>, prelude: Range<Int>, body: Range<Int>, _ context: Context
    ) throws(DecodeError) {
        let head = Self.withoutComments(text, prelude)
        guard context.depth < Self.depthLimit else {
            try append(head + "{", text, body, context.target)
            return
        }
        guard head.hasPrefix("@") else {
            var inner = context.deeper()
            inner.selectors = Self.combined(context.selectors, head)
            try write(text, body, inner)
            return
        }
        let word = head.prefix { !$0.isWhitespace && $0 != "(" }.lowercased()
        let rest = head.dropFirst(word.count)
        switch word {
        case "@layer":
            var inner = context.deeper()
            if context.target != .layers { layerBlocks += 1 }
            if !context.isHeld { inner.target = .layers }
            try write(text, body, inner)
        case "@supports":
            if SupportsCondition.holds(String(rest)) { try write(text, body, context.deeper()) }
        case "@media":
            switch MediaCondition.holds(String(rest)) {
            case true?: try write(text, body, context.deeper())
            case false?: return
            case nil:
                var inner = context.deeper()
                inner.isHeld = true
                try append(Array((head + "{").utf8), to: context.target)
                try write(text, body, inner)
                try append([UInt8(ascii: "}")], to: context.target)
            }
        case "@container" where !text.contains("container-", in: 0..<text.count),
            "@starting-style":
            // Nothing here is a container, and nothing is starting.
            return
        default: try append(head + "{", text, body, context.target)
        }
    }

    /// Writes declarations that stood between nested rules.
    private mutating func flush(
        _ declarations: inout [UInt8], _ context: Context
    ) throws(DecodeError) {
        defer { declarations = [] }
        guard let selectors = context.selectors, declarations.contains(UInt8(ascii: ":")) else {
            return
        }
        let head = selectors.joined(separator: ",")
        try append(Array(head.utf8) + [0x7B] + declarations + [0x7D, 0x0A], to: context.target)
    }

    private mutating func append(
        _ head: String, _ text: Span<UInt8>, _ body: Range<Int>, _ target: Context.Target
    ) throws(DecodeError) {
        try append(Array(head.utf8) + text.array(body) + [UInt8(ascii: "}")], to: target)
    }

    private mutating func append(
        _ bytes: [UInt8], to target: Context.Target
    ) throws(DecodeError) {
        switch target {
        case .layers: layers += bytes
        case .rules: rules += bytes
        }
        guard layers.count + rules.count <= bytesLimit else {
            throw .limitDecode("an SVG whose style sheets grow to more than \(bytesLimit) bytes")
        }
    }

    /// The selectors of a rule inside another: below it, or where `&` says.
    private static func combined(_ outer: [String]?, _ list: String) -> [String] {
        let inner = CSSColor.parts(of: list, at: ",")
        guard let outer else { return inner }
        var combined: [String] = []
        for selector in inner {
            for parent in outer where combined.count < selectorsLimit {
                combined.append(
                    selector.contains("&")
                        ? selector.replacing("&", with: parent) : parent + " " + selector)
            }
        }
        // A selector may grow by as much as it is long, however often it is taken up.
        return combined.filter { $0.utf8.count <= 1024 }
    }

    private static func close(in text: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var depth = 0
        return StyleValue.end(in: text, from: start, to: end) { byte, _ in
            if byte == UInt8(ascii: "{") { depth += 1 }
            guard byte == UInt8(ascii: "}") else { return false }
            depth -= 1
            return depth < 0
        }
    }

    private static func begins(
        _ text: Span<UInt8>, _ range: Range<Int>, with word: StaticString
    ) -> Bool {
        text.hasWord(word, at: text.trimmed(range).lowerBound, anyCase: true)
    }

    /// What stands before a block, without comments and spaces around it.
    private static func withoutComments(_ text: Span<UInt8>, _ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if text.hasWord("/*", at: index) {
                index += 2
                while index < range.upperBound, !text.hasWord("*/", at: index) { index += 1 }
                index += 2
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        let span = bytes.span
        return span.string(span.trimmed(0..<bytes.count))
    }
}

/// The condition of `@supports`: a browser of today knows whatever is asked for.
enum SupportsCondition {
    static func holds(_ text: String) -> Bool {
        !text.lowercased().split { !$0.isLetter }.contains("not")
    }
}

/// The condition of `@media`, of a still picture on a screen of sRGB.
enum MediaCondition {
    /// Nil where it asks for a colour scheme, or for what is not known here.
    static func holds(_ text: String) -> Bool? {
        let queries = text.lowercased().split(separator: ",").map { holds(query: String($0)) }
        if queries.contains(true) { return true }
        return queries.contains(nil) ? nil : false
    }

    private static func holds(query: String) -> Bool? {
        var result: Bool? = true
        for word in query.replacing("(", with: " (").replacing(": ", with: ":").split(
            separator: " ")
        {
            switch word {
            case "only", "and", "screen", "all", "(prefers-reduced-motion:no-preference)",
                "(color-gamut:srgb)", "(forced-colors:none)", "(prefers-contrast:no-preference)":
                continue
            case "print", "speech", "(prefers-reduced-motion:reduce)", "(prefers-reduced-motion)",
                "(color-gamut:p3)", "(color-gamut:rec2020)", "(forced-colors:active)",
                "(prefers-contrast:more)", "(dynamic-range:high)":
                return query.contains("not") ? nil : false
            default: result = nil
            }
        }
        return result
    }
}
