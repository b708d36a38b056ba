/// Rules of a style sheet with simple selectors, found by what they ask of an element.
struct StyleRules {
    private struct Rule {
        let selector: StyleSelector
        let body: Range<Int>
        let order: Int
    }

    private var rules: [StyleSelector.Key: [Rule]] = [:]
    private var count = 0

    var isEmpty: Bool { rules.isEmpty }

    mutating func add(_ text: Span<UInt8>, selectors: Range<Int>, body: Range<Int>) {
        for selector in StyleSelector.list(text, selectors) {
            rules[selector.key, default: []].append(
                Rule(selector: selector, body: body, order: count))
            count += 1
        }
    }

    /// The bodies of the rules that are for `element`, the strongest last.
    func bodies(
        for element: StyledElement, _ work: inout SVGWork
    ) throws(DecodeError) -> [Range<Int>] {
        var found: [Rule] = []
        for key in element.keys {
            guard let candidates = rules[key] else { continue }
            try work.spend(candidates.count)
            found += candidates.filter { $0.selector.matches(element) }
        }
        found.sort {
            ($0.selector.specificity, $0.order) < ($1.selector.specificity, $1.order)
        }
        var sum = 0
        for rule in found { sum += rule.body.count }
        try work.spend(sum)
        return found.map(\.body)
    }
}
