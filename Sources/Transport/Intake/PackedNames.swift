import Glibc

/// The names in one folder, end to end: a few bytes each beside their own, since a folder may hold
/// hundreds of thousands.
struct PackedNames {
    private var bytes: [UInt8] = []
    /// Where each begins, and in the last 16 bits how long it is.
    private var places: [UInt64] = []

    mutating func append(_ name: some Collection<UInt8>) {
        places.append(UInt64(bytes.count) << 16 | UInt64(UInt16(clamping: name.count)))
        bytes.append(contentsOf: name)
    }

    /// Byte order, the first name last.
    mutating func sortBackwards() {
        unsafe bytes.withUnsafeBufferPointer { text in
            places.sort { left, right in
                let (first, second) = (Self.range(left), Self.range(right))
                let shared = min(first.count, second.count)
                guard shared > 0, let base = text.baseAddress else {
                    return first.count > second.count
                }
                let order = unsafe memcmp(
                    base + first.lowerBound, base + second.lowerBound, shared)
                return order == 0 ? first.count > second.count : order > 0
            }
        }
    }

    mutating func popLast() -> ArraySlice<UInt8>? {
        places.popLast().map { bytes[Self.range($0)] }
    }

    private static func range(_ place: UInt64) -> Range<Int> {
        let start = Int(place >> 16)
        return start..<start + Int(place & 0xFFFF)
    }
}
