/// One item during the comparison of names, as hashes instead of texts.
struct NameEntry: Comparable, Sendable {
    /// Properties of a name that later steps need, so that its row is not read again.
    struct Marks: OptionSet, Sendable {
        let rawValue: UInt32

        /// The name ends like a name with a generated suffix, so the two can be equal.
        static let looksSuffixed = Marks(rawValue: 1)
        /// The name ends like a name with a generated suffix and a number.
        static let looksNumbered = Marks(rawValue: 2)
        /// The name is so long that a number would shorten it.
        static let isLong = Marks(rawValue: 4)
        /// The item keeps this name, so that other items must not get it.
        static let isTaken = Marks(rawValue: 8)
    }

    static let byteCount = 40

    /// The hash of the name after `TextForm.folded`.
    var name: UInt64
    /// The hash of source, recipe and name: equal for items that share their files.
    var set: UInt64
    /// Further bits of the hash in `set`.
    var setRest: UInt64
    /// The hash of the name with the suffix that it gets in a conflict.
    var suffixed: UInt64
    var index: UInt32
    var marks: Marks

    static func < (left: NameEntry, right: NameEntry) -> Bool {
        if left.name != right.name { return left.name < right.name }
        if left.set != right.set { return left.set < right.set }
        if left.setRest != right.setRest { return left.setRest < right.setRest }
        return left.index < right.index
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(word: name)
        bytes.append(word: set)
        bytes.append(word: setRest)
        bytes.append(word: suffixed)
        bytes.append(word: UInt64(index) << 32 | UInt64(marks.rawValue))
    }

    init(_ bytes: ArraySlice<UInt8>) {
        func word(_ number: Int) -> UInt64 {
            let start = bytes.startIndex + number * 8
            return bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        name = word(0)
        set = word(1)
        setRest = word(2)
        suffixed = word(3)
        index = UInt32(truncatingIfNeeded: word(4) >> 32)
        marks = Marks(rawValue: UInt32(truncatingIfNeeded: word(4)))
    }

    init(
        name: UInt64, set: UInt64 = 0, setRest: UInt64 = 0, suffixed: UInt64 = 0, index: UInt32,
        marks: Marks
    ) {
        self.name = name
        self.set = set
        self.setRest = setRest
        self.suffixed = suffixed
        self.index = index
        self.marks = marks
    }
}
