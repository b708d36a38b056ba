/// Writes names of namespaces that libxml2 warns of as names that it takes.
///
/// librsvg 2.54 refuses a document over such a warning. Only a document that was refused is looked at.
enum NamespaceRepairs {
    /// The document with other names; nil where no name is in the way.
    static func write(_ text: Span<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        var copied = 0
        var walker = XMLWalker(text)
        while true {
            switch walker.next() {
            case .open(_, let attributes, _):
                for attribute in attributes
                where text.hasName("xmlns", attribute.name)
                    || text.hasWord("xmlns:", at: attribute.name.lowerBound)
                {
                    let value = attribute.value
                    guard !value.isEmpty, !isAbsolute(text, value) else { continue }
                    output.append(text, copied..<value.lowerBound)
                    output.append("urn:x-")
                    output += text.array(value).filter { SVGSign.isName($0) && $0 < 0x80 }
                    copied = value.upperBound
                }
            case .close, .text, .doctype: continue
            case .end, .cut:
                guard copied > 0 else { return nil }
                output.append(text, copied..<text.count)
                return output
            }
        }
    }

    /// Whether a name begins with a scheme and holds only what an address may.
    private static func isAbsolute(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let name = text.string(range)
        guard let colon = name.firstIndex(of: ":"), name.first?.isLetter == true else {
            return false
        }
        let isScheme = name[..<colon].allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
        }
        return isScheme
            && name[colon...].allSatisfy {
                $0.isASCII
                    && ($0.isLetter || $0.isNumber || ":/?#[]@!$&'()*+,;=-._~%".contains($0))
            }
    }
}
