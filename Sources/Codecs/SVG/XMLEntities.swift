/// Writes a text without its internal subset: entities where they are named, and attributes that
/// the subset gives to elements that do not state them.
///
/// Entities in content may hold tags, which may name entities again; each walk over the text follows
/// one level of these.
struct XMLEntities {
    /// Entities in entities.
    private static let depthLimit = 32

    private let type: XMLDocumentType
    private let bytesLimit: Int
    private var work: SVGWork
    /// The last walk wrote something that is to be walked over too.
    private var isOpen = true

    /// The text written anew; nil where it has no internal subset.
    static func resolve(
        _ text: Span<UInt8>, bytesLimit: Int
    ) throws(DecodeError) -> (text: [UInt8], hasEntities: Bool)? {
        guard let (range, type) = documentType(of: text) else { return nil }
        var entities = XMLEntities(
            type: type, bytesLimit: bytesLimit, work: SVGWork(bytes: text.count))
        var written = text.array(0..<range.lowerBound)
        written.append(text, range.upperBound..<text.count)
        var depth = 0
        while entities.isOpen {
            guard depth < depthLimit else { throw tooDeep }
            depth += 1
            written = try entities.walk(written.span)
        }
        return (written, type.hasEntities)
    }

    private static var tooDeep: DecodeError {
        .limitDecode("an SVG with more than \(depthLimit) nested entities")
    }

    /// The document type in front of the root.
    private static func documentType(
        of text: Span<UInt8>
    ) -> (range: Range<Int>, type: XMLDocumentType)? {
        var walker = XMLWalker(text)
        while true {
            switch walker.next() {
            case .doctype(let range):
                return XMLDocumentType(text, range).map { (range, $0) }
            case .text: continue
            case .open, .close, .end, .cut: return nil
            }
        }
    }

    private mutating func walk(_ text: Span<UInt8>) throws(DecodeError) -> [UInt8] {
        isOpen = false
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var copied = 0
        var walker = XMLWalker(text)
        loop: while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                for attribute in attributes
                where text.contains("&", in: attribute.value) {
                    output.append(text, copied..<attribute.value.lowerBound)
                    try append(text, attribute.value, to: &output, depth: 0)
                    copied = attribute.value.upperBound
                }
                guard let missing = missing(text, name, attributes) else { continue }
                let end = walker.offset - (isEmpty ? 2 : 1)
                output.append(text, copied..<end)
                copied = end
                for value in missing {
                    output.append(UInt8(ascii: " "))
                    output += value.name
                    output.append("=\"")
                    let text = value.value.span
                    try append(text, 0..<text.count, to: &output, depth: 0, isQuoted: true)
                    output.append("\"")
                }
            case .text(let range):
                // What is marked as characters names nothing.
                guard range.lowerBound == walker.start else { continue }
                var index = range.lowerBound
                while index < range.upperBound {
                    guard text[index] == UInt8(ascii: "&"),
                        let name = XMLSign.name(text, index, range.upperBound),
                        let value = type.entities[text.array(name)]
                    else {
                        index += 1
                        continue
                    }
                    output.append(text, copied..<index)
                    index = name.upperBound + 1
                    copied = index
                    try take(value, to: &output)
                    isOpen = true
                }
            case .close, .doctype: continue
            case .end, .cut: break loop
            }
            try hold(output.count)
        }
        output.append(text, copied..<text.count)
        try hold(output.count)
        return output
    }

    private func missing(
        _ text: Span<UInt8>, _ name: Range<Int>, _ attributes: [XMLWalker.Attribute]
    ) -> [XMLDocumentType.Default]? {
        guard !type.defaults.isEmpty, let defaults = type.defaults[text.array(name)] else {
            return nil
        }
        let stated = attributes.map { text.array($0.name) }
        let missing = defaults.filter { !stated.contains($0.name) }
        return missing.isEmpty ? nil : missing
    }

    /// Appends the value of an attribute, its entities followed to their end.
    private mutating func append(
        _ text: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8], depth: Int,
        isQuoted: Bool = false
    ) throws(DecodeError) {
        guard depth < Self.depthLimit else { throw Self.tooDeep }
        try work.spend(1 + range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            if byte == UInt8(ascii: "&"), let name = XMLSign.name(text, index, range.upperBound),
                let value = type.entities[text.array(name)]
            {
                let inner = value.span
                try append(
                    inner, 0..<inner.count, to: &output, depth: depth + 1, isQuoted: true)
                index = name.upperBound + 1
                continue
            }
            // Inside of an entity a quote ends nothing.
            if isQuoted, byte == UInt8(ascii: "\"") {
                output.append("&quot;")
            } else if isQuoted, byte == UInt8(ascii: "'") {
                output.append("&apos;")
            } else {
                output.append(byte)
            }
            index += 1
        }
        try hold(output.count)
    }

    private mutating func take(
        _ value: [UInt8], to output: inout [UInt8]
    ) throws(DecodeError) {
        try work.spend(1 + value.count)
        output += value
        try hold(output.count)
    }

    private func hold(_ count: Int) throws(DecodeError) {
        guard count <= bytesLimit else {
            throw .limitDecode("an SVG that grows to more than \(bytesLimit) bytes")
        }
    }
}
