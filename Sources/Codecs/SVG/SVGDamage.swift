/// Tells a document that stops too early from one that is wrong inside.
enum SVGDamage {
    /// Whether the text ends inside a tag, or with elements open that were nested in good order.
    static func isCut(_ bytes: Span<UInt8>) -> Bool {
        var walker = XMLWalker(bytes)
        var open: [String] = []
        var hasRoot = false
        while true {
            switch walker.next() {
            case .open(let name, _, let isEmpty):
                hasRoot = true
                if !isEmpty { open.append(walker.text(name)) }
            case .close(let name):
                guard open.popLast() == walker.text(name) else { return false }
            case .text, .doctype:
                continue
            case .cut:
                return true
            case .end:
                return !open.isEmpty || !hasRoot
            }
        }
    }
}
