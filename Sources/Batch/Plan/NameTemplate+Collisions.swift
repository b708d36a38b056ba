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

    /// A path in small letters: `stem` stands for text without a slash, `folders` for text that may
    /// hold some, and `digit` for one of a hash.
    private typealias Shape = [UInt8]
    private static let (stem, digit, folders): (UInt8, UInt8, UInt8) = (0, 1, 2)
    private static let slash = UInt8(ascii: "/")

    private func shape(of variant: NameVariant) -> Shape {
        let hash = String(repeating: "\u{1}", count: 8)
        let filled = fill(variant, name: "\u{2}/\u{0}", hash: hash).lowercased()
        return Array(filled.replacing("\u{2}/\u{0}", with: "\u{2}").utf8)
    }

    /// Two names exist that give both variants one path: as a whole, and each part of the path from
    /// the end on, as far as no folders of a name come.
    private func canMeet(_ one: Shape, _ other: Shape) -> Bool {
        var parts = (one.split(separator: Self.slash)[...], other.split(separator: Self.slash)[...])
        while let left = parts.0.last, let right = parts.1.last {
            if left.contains(Self.folders) || right.contains(Self.folders) { break }
            guard partsCanMeet(Array(left), Array(right)) else { return false }
            parts = (parts.0.dropLast(), parts.1.dropLast())
        }
        return partsCanMeet(one, other)
    }

    /// What stands before the first part of a name and after the last.
    private func surroundings(_ shape: Shape) -> (before: [UInt8], after: [UInt8]) {
        let isOfName: (UInt8) -> Bool = { $0 == Self.stem || $0 == Self.folders }
        guard let first = shape.firstIndex(where: isOfName),
            let last = shape.lastIndex(where: isOfName)
        else { return (shape, []) }
        return (Array(shape[..<first]), Array(shape[(last + 1)...]))
    }

    /// Two names exist that give both variants one name. That needs one beginning to begin the
    /// other and one end to end the other, and what is left over to be letters of a name.
    private func partsCanMeet(_ one: Shape, _ other: Shape) -> Bool {
        let isLiteral = !(one + other).contains { $0 == Self.stem || $0 == Self.folders }
        if isLiteral, one.count != other.count { return false }
        let (one, other) = (surroundings(one), surroundings(other))
        guard let before = surplus(one.before, other.before),
            let after = surplus(one.after.reversed(), other.after.reversed())
        else { return false }
        return (before + after).allSatisfy { byte in
            switch byte {
            case Self.digit, Self.slash, 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...0xFF:
                true
            default: false
            }
        }
    }

    /// What the longer one has more, if they agree as far as the shorter one goes. A digit of a
    /// hash agrees with any digit.
    private func surplus(_ one: [UInt8], _ other: [UInt8]) -> ArraySlice<UInt8>? {
        let shared = min(one.count, other.count)
        let agree = zip(one, other).allSatisfy { left, right in
            left == right || left == Self.digit && isDigit(right)
                || right == Self.digit && isDigit(left)
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
            return "two outputs could get the same name; put / or @ between the fields"
        }
        return
            "two outputs of an item would get the same name; add "
            + "\(missing.joined(separator: " and "))"
    }
}
