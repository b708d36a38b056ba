import CDrawing
import Synchronization

/// Hashes of names, equal on every machine and in every run.
enum NameHash {
    /// Returns the FNV-1a hash of `text` followed by `rest`, with a final mix. A hash collision
    /// only adds an unnecessary suffix.
    static func of(_ text: String, _ rest: String = "") -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in rest.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash ^= hash >> 32
        return hash &* 0x9E37_79B9_7F4A_7C15
    }

    /// Combines two hashes; the order matters.
    static func joined(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let mixed = ((first << 7 | first >> 57) ^ second) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }

    static func marks(of folded: String, wanted: String) -> NameEntry.Marks {
        var marks: NameEntry.Marks = []
        var tail = Array(folded.utf8.suffix(24))[...]
        if endsInHash(tail) { marks.insert(.looksSuffixed) }
        while let last = tail.last, (0x30...0x39).contains(last) { tail.removeLast() }
        if tail.last == 0x2D, endsInHash(tail.dropLast()) { marks.insert(.looksNumbered) }
        // 20 bytes: the suffix is "-" with eight digits, and the number is "-" with up to ten
        // digits.
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

/// A set of names as sorted 64-bit hashes: eight bytes a name.
struct NameIndex: Sendable {
    private(set) var hashes: [UInt64]

    init(_ hashes: consuming [UInt64]) {
        hashes.sort()
        self.hashes = hashes
    }

    var isEmpty: Bool { hashes.isEmpty }

    func contains(_ hash: UInt64) -> Bool {
        let index = hashes.lowerBound(where: { $0 >= hash })
        return index < hashes.count && hashes[index] == hash
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element with a property that all later elements have, too;
    /// the end index if there is none.
    func lowerBound(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Unicode normalization for comparing and writing names.
package enum TextForm {
    private static let lacking = Atomic(false)

    /// Whether GLib was needed but is not installed, so that non-ASCII names stayed unchanged.
    static var isLacking: Bool { lacking.load(ordering: .relaxed) }

    /// Returns the text in NFC, with one spelling for each letter and its marks.
    static func composed(_ text: String) -> String {
        if isASCII(text) { return text }
        return unsafe through(text) { text, length in
            unsafe g_utf8_normalize(text, length, G_NORMALIZE_DEFAULT_COMPOSE)
        }
    }

    /// Returns the same text for texts that differ only in case or normalization.
    package static func folded(_ text: String) -> String {
        if isASCII(text) { return text.lowercased() }
        let folded = unsafe through(text) { text, length in unsafe g_utf8_casefold(text, length) }
        return composed(folded)
    }

    static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    /// GLib stops at a NUL; callers have none in their text.
    private static func through(
        _ text: String, _ form: (UnsafePointer<CChar>, Int) -> UnsafeMutablePointer<CChar>?
    ) -> String {
        unsafe text.withCString { pointer in
            guard let result = unsafe form(pointer, text.utf8.count) else {
                lacking.store(true, ordering: .relaxed)
                return text
            }
            defer { unsafe g_free(result) }
            return unsafe String(cString: result)
        }
    }
}
