import Engine
import Notation
import Render
import Transport

extension BatchItem {
    /// The name it asks for.
    package var wantedName: String {
        wantedName(kind)
    }

    private func wantedName(_ kind: SourceReference.Kind?) -> String {
        let name = plainWantedName(kind)
        return namePrefix.isEmpty ? name : ItemName.prefixed(name, namePrefix)
    }

    private func plainWantedName(_ kind: SourceReference.Kind?) -> String {
        if givenID == nil, let path = pathInFolder { return ItemName.wanted(in: path) }
        return ItemName.wanted(id: givenID, source: source, kind: kind)
    }

    /// What the source is, whether or not it may be used here.
    package var kind: SourceReference.Kind? {
        knownReference(remoteOnly: false)?.kind
    }

    /// Its name, source and recipe as hashes.
    ///
    /// - Parameter kind: what its source is.
    func entry(_ kind: SourceReference.Kind?, drawsLabels: Bool) -> NameEntry {
        let name = wantedName(kind)
        let folded = TextForm.folded(name)
        let suffix = "-" + ItemName.hash(of: plainSource(kind))
        // A row may ask for initials where the run does not.
        let drawn = drawsLabels || placeholder == PlaceholderChoice.initials.spelling ? label : nil
        let set = ItemKey(self, kind, name: folded, label: drawn)
        var entry = NameEntry(
            name: NameHash.of(folded), set: set.high, setRest: set.low,
            suffixed: Self.suffixedHash(name, folded, suffix),
            index: UInt32(truncatingIfNeeded: index), marks: [])
        entry.marks = NameHash.marks(of: folded, wanted: name)
        return entry
    }

    /// Of the name with a suffix, after folding.
    private static func suffixedHash(_ name: String, _ folded: String, _ suffix: String) -> UInt64 {
        // Letters of ASCII fold each by itself, and where there is room nothing is cut.
        if name.utf8.count + suffix.utf8.count <= ItemName.bytesLimit, TextForm.isASCII(folded) {
            return NameHash.of(folded, suffix)
        }
        return NameHash.of(TextForm.folded(ItemName.suffixed(name, suffix)))
    }

    /// Of all that the row says, whether or not it can change an output.
    var rowDigest: UInt64 {
        var hash = NameHash.of(source)
        if isRow || label != nil {
            let texts = [givenID, label, hint, value] + look.all + [problem?.description]
            for (index, text) in texts.enumerated() {
                guard let text else { continue }
                hash = NameHash.joined(hash, NameHash.of(text) &+ UInt64(index))
            }
        }
        for text in alternatives { hash = NameHash.joined(hash, NameHash.of(text)) }
        for member in extra {
            hash = NameHash.joined(hash, NameHash.of(member.name))
            hash = NameHash.joined(hash, NameHash.of(member.value.text))
        }
        return hash
    }
}

/// Hashes of names; the same on every machine and in every run.
enum NameHash {
    /// FNV-1a with a last stir. Texts that meet by accident only get a suffix they did not need.
    ///
    /// - Parameter rest: follows the text.
    static func of(_ text: String, _ rest: String = "") -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in rest.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash ^= hash >> 32
        return hash &* 0x9E37_79B9_7F4A_7C15
    }

    /// One hash of two, which depends on their order.
    static func joined(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let mixed = ((first << 7 | first >> 57) ^ second) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }

    /// What later steps need to know about a name.
    static func marks(of folded: String, wanted: String) -> NameEntry.Marks {
        var marks: NameEntry.Marks = []
        var tail = Array(folded.utf8.suffix(24))[...]
        if endsInHash(tail) { marks.insert(.looksSuffixed) }
        while let last = tail.last, (0x30...0x39).contains(last) { tail.removeLast() }
        if tail.last == 0x2D, endsInHash(tail.dropLast()) { marks.insert(.looksNumbered) }
        // "-" and eight digits, "-" and a number of up to ten digits.
        if wanted.utf8.count > ItemName.bytesLimit - 20,
            ItemName.ownPart(of: wanted).utf8.count > ItemName.bytesLimit - 20
        {
            marks.insert(.isLong)
        }
        return marks
    }

    private static func endsInHash(_ text: ArraySlice<UInt8>) -> Bool {
        let tail = text.suffix(9)
        return tail.count == 9 && tail.first == 0x2D
            && tail.dropFirst().allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }
}
