/// 64-bit hashes of texts, equal on every machine and in every run.
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
}

/// A set of names as sorted 64-bit hashes: eight bytes a name.
struct NameIndex: Sendable {
    private(set) var hashes: [UInt64]

    init(_ hashes: consuming [UInt64]) {
        hashes.sort()
        self.hashes = hashes
    }

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
