import Engine
import Notation
import Render
import Transport

extension BatchItem {
    /// The name that the item asks for, before conflicts are resolved.
    package var wantedName: String {
        wantedName(kind)
    }

    private func wantedName(_ kind: SourceReference.Kind?) -> String {
        if givenID == nil, let path = pathInFolder { return ItemName.wanted(in: path) }
        return ItemName.wanted(id: givenID, source: source, kind: kind)
    }

    /// The kind of the source, even if the run does not allow it.
    package var kind: SourceReference.Kind? {
        knownReference(remoteOnly: false)?.kind
    }

    /// Hashes the name, source and recipe.
    ///
    /// - Parameter kind: The kind of its source.
    func entry(_ kind: SourceReference.Kind?, drawsLabels: Bool) -> NameEntry {
        let name = wantedName(kind)
        let folded = TextForm.folded(name)
        let suffix = "-" + ItemName.hash(of: plainSource(kind))
        // A row can ask for initials even if the run does not draw labels.
        let drawn = drawsLabels || placeholder == PlaceholderChoice.initials.spelling ? label : nil
        let set = ItemKey(self, kind, name: folded, label: drawn)
        var entry = NameEntry(
            name: NameHash.of(folded), set: set.high, setRest: set.low,
            suffixed: Self.suffixedHash(name, folded, suffix),
            index: UInt32(truncatingIfNeeded: index), marks: [])
        entry.marks = NameHash.marks(of: folded, wanted: name)
        return entry
    }

    private static func suffixedHash(_ name: String, _ folded: String, _ suffix: String) -> UInt64 {
        // The case of ASCII letters is folded letter by letter, and names below the limit are not
        // shortened. The parts can therefore be hashed without joining them.
        if name.utf8.count + suffix.utf8.count <= ItemName.bytesLimit, TextForm.isASCII(folded) {
            return NameHash.of(folded, suffix)
        }
        return NameHash.of(TextForm.folded(ItemName.suffixed(name, suffix)))
    }

    /// A hash of the whole row, including columns that cannot change an output.
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
        if dark != nil { hash = NameHash.joined(hash, 1) }
        for text in darkSources { hash = NameHash.joined(hash, NameHash.of(text)) }
        for member in extra {
            hash = NameHash.joined(hash, NameHash.of(member.name))
            hash = NameHash.joined(hash, NameHash.of(member.value.text))
        }
        return hash
    }
}
