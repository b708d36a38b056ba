/// Writes the colour functions of CSS Color 4 and 5 as colours of sRGB, in style sheets and in
/// attributes. What depends on things that only a browser knows stays as it is.
enum ModernColors {
    /// The longest function that is looked at.
    private static let lengthLimit = 512

    static func write(_ text: Span<UInt8>, _ scheme: DrawingScheme) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count + 1024)
        let isDark = isDark(text, scheme)
        var walker = XMLWalker(text)
        var copied = 0
        var isSheet = false
        while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                isSheet = !isEmpty && walker.text(name).hasSuffix("style")
                for attribute in attributes {
                    write(text, attribute.value, isDark, &copied, &output)
                }
            case .close: isSheet = false
            case .text(let range): if isSheet { write(text, range, isDark, &copied, &output) }
            case .doctype: continue
            case .end, .cut:
                output.append(text, copied..<text.count)
                return output
            }
        }
    }

    private static func write(
        _ text: Span<UInt8>, _ range: Range<Int>, _ isDark: Bool, _ copied: inout Int,
        _ output: inout [UInt8]
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard text[index] == UInt8(ascii: "(") else {
                index += 1
                continue
            }
            var start = index
            while start > range.lowerBound, SVGSign.isName(text[start - 1]), index - start < 12 {
                start -= 1
            }
            index += 1
            guard CSSColor.isModern(text.string(start..<(index - 1)).lowercased()) else { continue }
            let most = min(range.upperBound, start + lengthLimit)
            let close = StyleValue.end(in: text, from: index, to: most) { byte, _ in
                byte == UInt8(ascii: ")")
            }
            guard close < most,
                let color = CSSColor.plainText(text.string(start..<(close + 1)), isDark: isDark)
            else { continue }
            output.append(text, copied..<start)
            output += color.utf8
            index = close + 1
            copied = index
        }
    }

    /// `light-dark()` follows the surroundings only where the document says that it knows both.
    private static func isDark(_ text: Span<UInt8>, _ scheme: DrawingScheme) -> Bool {
        var result = false
        for index in 0..<text.count where text.hasWord("color-scheme", at: index) {
            guard index == 0 || !SVGSign.isName(text[index - 1]) else { continue }
            let end = StyleValue.end(in: text, from: index, to: min(text.count, index + 64)) {
                byte, _ in [0x3B, 0x7D, 0x3C, 0x22, 0x27].contains(byte)
            }
            let words = text.string((index + 12)..<max(end, index + 12)).lowercased()
            guard words.contains("dark") else { continue }
            result = words.contains("light") ? scheme == .dark : true
        }
        return result
    }
}
