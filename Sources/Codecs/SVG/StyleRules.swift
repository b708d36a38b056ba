/// Rules of a style sheet with simple selectors, found by what they ask of an element.
struct StyleRules<Body> {
    private struct Rule {
        let selector: StyleSelector
        let body: Body
        let order: Int
    }

    private var rules: [StyleSelector.Key: [Rule]] = [:]
    private var count = 0

    var isEmpty: Bool { rules.isEmpty }

    /// Takes a rule; returns how many of its selectors are of the simple kind.
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

    /// The bodies of the rules that are for `element`, the strongest last.
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
