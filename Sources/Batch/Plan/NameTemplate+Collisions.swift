extension NameTemplate {
    /// Refuses the template if two outputs of a run over these variants could get one name, and
    /// says which placeholder would keep them apart.
    package func check(_ variants: [NameVariant]) throws(PlanError) {
        let shapes = variants.map { shape(of: $0) }
        for (index, variant) in variants.enumerated() {
            for earlier in variants.indices.prefix(index)
            where canMeet(shapes[earlier], shapes[index]) {
                throw .name(advice(variants[earlier], variant))
            }
        }
    }

    /// What stands before the first id and after the last, in small letters.
    private struct Shape {
        var before: [UInt8]
        var after: [UInt8]
    }

    private func shape(of variant: NameVariant) -> Shape {
        let hash = String(repeating: "\u{1}", count: 8)
        let name = Array(fill(variant, id: "\u{0}", hash: hash).lowercased().utf8)
        let first = name.firstIndex(of: 0) ?? name.endIndex
        let last = name.lastIndex(of: 0) ?? name.startIndex
        return Shape(before: Array(name[..<first]), after: Array(name[last...].dropFirst()))
    }

    /// Two ids exist that give both variants one name. That needs one beginning to begin the
    /// other and one end to end the other, and what is left over to be letters of an id.
    private func canMeet(_ one: Shape, _ other: Shape) -> Bool {
        guard let before = surplus(one.before, other.before),
            let after = surplus(one.after.reversed(), other.after.reversed())
        else { return false }
        return (before + after).allSatisfy { byte in
            switch byte {
            case 1, 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...0xFF: true
            default: false
            }
        }
    }

    /// What the longer one has more, if they agree as far as the shorter one goes. A digit of a
    /// hash agrees with any digit.
    private func surplus(_ one: [UInt8], _ other: [UInt8]) -> ArraySlice<UInt8>? {
        let shared = min(one.count, other.count)
        let agree = zip(one, other).allSatisfy { left, right in
            left == right || left == 1 && isDigit(right) || right == 1 && isDigit(left)
        }
        return agree ? one[shared...] + other[shared...] : nil
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    private func advice(_ one: NameVariant, _ other: NameVariant) -> String {
        var missing: [String] = []
        if one.layout != other.layout, !parts.contains(.layout) { missing.append("{layout}") }
        if one.scale != other.scale, !parts.contains(.scale), !parts.contains(.scaleMark) {
            missing.append("{@scale}")
        }
        if one.scheme != other.scheme, !parts.contains(.scheme), !parts.contains(.schemeMark) {
            missing.append("{scheme}")
        }
        if one.fileExtension != other.fileExtension, !parts.contains(.fileExtension) {
            missing.append("{ext}")
        }
        guard !missing.isEmpty else {
            return "two outputs could get one name; put a / or @ between its parts"
        }
        return
            "two outputs of one item would get one name; add \(missing.joined(separator: " and "))"
    }
}
