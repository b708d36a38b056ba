/// A simple selector on which custom properties are defined: a type, an id, classes, `:root`, or
/// `*`. Selectors that involve other elements are not supported.
struct StyleSelector {
    private(set) var type: String?
    private(set) var id: String?
    private(set) var classes: [String] = []
    private(set) var isRoot = false

    /// A key of the index in `StyleRules`: the most selective part of a selector.
    enum Key: Hashable {
        case any
        case root
        case type(String)
        case id(String)
        case oneClass(String)
    }

    var specificity: Int {
        (id == nil ? 0 : 1 << 20) + (classes.count + (isRoot ? 1 : 0)) << 10
            + (type == nil ? 0 : 1)
    }

    var key: Key {
        if let id { return .id(id) }
        if let last = classes.last { return .oneClass(last) }
        if isRoot { return .root }
        return type.map { .type($0) } ?? .any
    }

    init?(_ text: Span<UInt8>, _ range: Range<Int>) {
        let range = text.trimmed(range)
        guard !range.isEmpty, range.count <= 256 else { return nil }
        var index = range.lowerBound
        func name() -> String {
            let start = index
            while index < range.upperBound, SVGCharacter.isNamePart(text[index]) { index += 1 }
            return text.string(start..<index)
        }
        if text[index] == UInt8(ascii: "*") {
            index += 1
        } else {
            let first = name()
            if !first.isEmpty { type = first }
        }
        while index < range.upperBound {
            let sign = text[index]
            index += 1
            let word = name()
            guard !word.isEmpty else { return nil }
            switch sign {
            case UInt8(ascii: "."): classes.append(word)
            case UInt8(ascii: "#") where id == nil: id = word
            case UInt8(ascii: ":") where word == "root": isRoot = true
            default: return nil
            }
        }
    }

    func matches(_ element: StyledElement) -> Bool {
        (type == nil || type == element.type) && (id == nil || id == element.id)
            && (!isRoot || element.isRoot) && classes.allSatisfy(element.classes.contains)
    }

    /// An element that matches this selector and has no other properties.
    var example: StyledElement {
        StyledElement(type: type ?? "", id: id, classes: classes, isRoot: isRoot)
    }

    /// Returns the supported selectors of a list.
    static func list(_ text: Span<UInt8>, _ range: Range<Int>) -> [StyleSelector] {
        var selectors: [StyleSelector] = []
        var start = range.lowerBound
        for index in range.lowerBound...range.upperBound
        where index == range.upperBound || text[index] == UInt8(ascii: ",") {
            if let selector = StyleSelector(text, start..<index) { selectors.append(selector) }
            start = index + 1
        }
        return selectors
    }
}

/// The properties of an element that simple selectors test.
struct StyledElement {
    var type: String
    var id: String?
    var classes: [String]
    var isRoot: Bool

    private static let classesLimit = 32

    /// The keys of all selectors that may match the element.
    var keys: [StyleSelector.Key] {
        var keys: [StyleSelector.Key] = [.any, .type(type)]
        if isRoot { keys.append(.root) }
        if let id { keys.append(.id(id)) }
        for name in classes.prefix(Self.classesLimit) { keys.append(.oneClass(name)) }
        return keys
    }
}

/// The rules of a style sheet with simple selectors, indexed by selector.
struct StyleRules<Body> {
    private struct Rule {
        let selector: StyleSelector
        let body: Body
        let order: Int
    }

    private var rules: [StyleSelector.Key: [Rule]] = [:]
    private var count = 0

    var isEmpty: Bool { rules.isEmpty }

    /// Adds a rule; returns the number of its simple selectors.
    @discardableResult
    mutating func add(_ text: Span<UInt8>, selectors: Range<Int>, body: Body) -> Int {
        let list = StyleSelector.list(text, selectors)
        for selector in list {
            rules[selector.key, default: []].append(
                Rule(selector: selector, body: body, order: count))
            count += 1
        }
        return list.count
    }

    /// Returns the bodies of the rules that match `element`, in ascending order of specificity.
    func bodies(
        for element: StyledElement, _ work: inout SVGWork
    ) throws(DecodeError) -> [Body] {
        var found: [Rule] = []
        for key in element.keys {
            guard let candidates = rules[key] else { continue }
            try work.spend(candidates.count)
            found += candidates.filter { $0.selector.matches(element) }
        }
        found.sort {
            ($0.selector.specificity, $0.order) < ($1.selector.specificity, $1.order)
        }
        return found.map(\.body)
    }
}
