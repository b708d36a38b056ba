/// Rewrites gradients with numbers that librsvg 2.54 and cairo can draw.
///
/// Cairo paints nothing if a point of the drawing is beyond 32,767 in the gradient's coordinates,
/// and fails if the gradient's transform cannot be inverted.
enum GradientRepairs {
    /// An attribute to write instead of the original; without a value the original is only removed.
    private typealias Change = (name: String, value: String?)

    /// The largest coordinate in a gradient that pixman supports.
    private static let coordinateLimit = 32_767.0

    /// Returns whether a transform scales so little, or so much, that its gradient is not drawn.
    static func isNeeded(_ transform: SVGTransform, longestSide: Double) -> Bool {
        if transform.isBeyondInverting { return true }
        let least = transform.leastStretch
        return least > 0 && least * coordinateLimit < longestSide
    }

    /// Returns the document with its gradients rewritten where needed.
    static func write(_ text: Span<UInt8>, _ root: DrawingRoot) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count + 1024)
        var copied = 0
        var walker = XMLWalker(text)
        while true {
            switch walker.next() {
            case .open(let name, let attributes, _):
                let tag = Tag(text, attributes)
                let changes =
                    switch text.localName(name) {
                    case "linearGradient": gradientChanges(tag, ["x1", "y1", "x2", "y2"], root)
                    case "radialGradient":
                        gradientChanges(tag, ["cx", "cy", "r", "fx", "fy"], root)
                    default: [Change]()
                    }
                guard !changes.isEmpty else { continue }
                output.append(text, copied..<name.upperBound)
                copied = name.upperBound
                for change in changes {
                    if let value = change.value { output += " \(change.name)=\"\(value)\"".utf8 }
                }
                for attribute in attributes
                where changes.contains(where: { $0.name == text.string(attribute.name) }) {
                    output.append(text, copied..<attribute.name.lowerBound)
                    copied = attribute.value.upperBound + 1
                }
            case .close, .text, .doctype: continue
            case .end, .truncated:
                output.append(text, copied..<text.count)
                return output
            }
        }
    }

    private struct Tag {
        private var values: [String: String] = [:]

        init(_ text: Span<UInt8>, _ attributes: [XMLWalker.Attribute]) {
            for attribute in attributes where attribute.value.count <= 4096 {
                values[text.string(attribute.name)] = text.string(attribute.value)
            }
        }

        subscript(name: String) -> String? { values[name] }

        var reference: String? { values["href"] ?? values["xlink:href"] }
    }

    /// Returns the new attributes of a gradient; empty if it needs none.
    ///
    /// - Parameter names: The coordinates of this kind of gradient, in the order of the standard.
    private static func gradientChanges(
        _ tag: Tag, _ names: [String], _ root: DrawingRoot
    ) -> [Change] {
        let isBox = tag["gradientUnits"] != "userSpaceOnUse"
        guard let stated = tag["gradientTransform"], let transform = SVGTransform(stated),
            isNeeded(transform, longestSide: isBox ? 1 : root.longestSide)
        else { return [] }
        guard !transform.isBeyondInverting else {
            // A gradient for which every point of the drawing is beyond the last stop.
            let far = isBox ? 10.0 : 10 * root.longestSide
            let values = names[0] == "x1" ? [-2 * far, 0, -far, 0] : [-far, 0, far / 1e4, -far, 0]
            let isPadded = [nil, "pad"].contains(tag["spreadMethod"])
            guard isPadded else { return [] }
            return zip(names, values).map { ($0, "\($1)") } + [("gradientTransform", nil)]
        }
        // Multiplies the coordinates and divides the matrix by the factor, so that the gradient
        // looks the same.
        let factor = transform.leastStretch
        var changes: [Change] = []
        for name in names {
            guard let value = tag[name] ?? (tag.reference == nil ? defaults[name] : nil) else {
                // The default focus is the centre, unless another gradient states a focus.
                if tag.reference == nil { continue }
                return []
            }
            let bytes = Array(value.utf8)
            guard let number = SVGNumber(bytes.span, from: 0, to: bytes.count),
                let unit = String(validating: bytes[number.range.upperBound...], as: UTF8.self),
                ["", "%"].contains(unit)
            else { return [] }
            changes.append((name, "\(number.value * factor)\(unit)"))
        }
        let parts = [transform.xx, transform.yx, transform.xy, transform.yy].map { $0 / factor }
        let matrix = (parts + [transform.x, transform.y]).map { "\($0)" }.joined(separator: " ")
        return changes + [("gradientTransform", "matrix(\(matrix))")]
    }

    private static let defaults = [
        "x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%", "cx": "50%", "cy": "50%", "r": "50%",
    ]
}

/// Replaces namespace names that cause libxml2 warnings.
///
/// librsvg 2.54 rejects a document because of such a warning. Only rejected documents are scanned.
enum NamespaceRepairs {
    /// Returns the document with replaced names; nil if no name needs it.
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
                    output += text.array(value).filter { SVGCharacter.isNamePart($0) && $0 < 0x80 }
                    copied = value.upperBound
                }
            case .close, .text, .doctype: continue
            case .end, .truncated:
                guard copied > 0 else { return nil }
                output.append(text, copied..<text.count)
                return output
            }
        }
    }

    /// Returns whether a name begins with a scheme and has only URL characters.
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
