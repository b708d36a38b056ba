/// The `data:` addresses of a document that librsvg would open: of pictures, of pictures in filters,
/// and of documents that an XInclude puts in its place.
struct PictureAddresses: ~Escapable {
    struct Address {
        /// Where the value stands between its quotes.
        let value: Range<Int>
        let isInclude: Bool
        /// What the address holds.
        let bytes: [UInt8]?
        /// The format that it says, where it is written as librsvg reads it everywhere.
        let saidFormat: ImageFormat?
    }

    private let text: Span<UInt8>
    private var walker: XMLWalker
    private var left: ArraySlice<XMLWalker.Attribute> = []
    private var isInclude = false

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
        self.text = text
        walker = XMLWalker(text)
    }

    mutating func next() -> Address? {
        while true {
            while let attribute = left.popFirst() {
                guard has("href", attribute.name), let address = address(attribute.value) else {
                    continue
                }
                return address
            }
            switch walker.next() {
            case .open(let name, let attributes, _):
                isInclude = has("include", name)
                guard isInclude || has("image", name) || has("feImage", name) else { continue }
                left = attributes[...]
            case .close, .text, .doctype: continue
            case .end, .cut: return nil
            }
        }
    }

    /// Whether a name is this one, whatever its prefix.
    private func has(_ word: StaticString, _ name: Range<Int>) -> Bool {
        let start = name.upperBound - word.utf8CodeUnitCount
        guard start >= name.lowerBound, text.hasWord(word, at: start) else { return false }
        return start == name.lowerBound || text[start - 1] == UInt8(ascii: ":")
    }

    private func address(_ value: Range<Int>) -> Address? {
        let said: (ImageFormat, Int)? =
            text.hasWord("data:image/png;base64,", at: value.lowerBound)
            ? (.png, 22)
            : text.hasWord("data:image/jpeg;base64,", at: value.lowerBound) ? (.jpeg, 23) : nil
        let isStrict =
            said.map { DataAddress.isStrict(text, (value.lowerBound + $0.1)..<value.upperBound) }
            ?? false
        let plain = isStrict ? text.array(value) : DataAddress.plain(text, value)
        guard DataAddress.isData(plain.span) else { return nil }
        return Address(
            value: value, isInclude: isInclude, bytes: DataAddress.bytes(plain.span),
            saidFormat: isStrict ? said?.0 : nil)
    }
}
