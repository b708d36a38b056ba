/// A prefix code of WebP's lossless form.
struct WebPPrefixCode {
    /// In bits, by symbol; 0 where a symbol never comes.
    private let lengths: [Int]
    /// What is written for each, the lowest bit first.
    private let words: [Int]
    /// Symbols that come; one alone is written in no bits at all.
    private let used: [Int]

    private static let repeatZero = 17
    private static let repeatZeroLong = 18
    /// In which order the lengths of the code for lengths stand.
    private static let order = [
        17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]

    /// The code for symbols that come so often, none longer than `limit`.
    init(counts: [Int], limit: Int) {
        used = counts.indices.filter { counts[$0] > 0 }
        var lengths = Self.lengths(counts, used, least: 1)
        var least = 2
        // Rare symbols are taken for more frequent ones until the code is short enough.
        while (lengths.max() ?? 0) > limit {
            lengths = Self.lengths(counts, used, least: least)
            least *= 2
        }
        self.lengths = lengths
        words = Self.words(lengths)
    }

    /// Bits that a symbol takes; one that never came costs more than those that did.
    var costs: [Int] {
        let most = max(8, (lengths.max() ?? 0) + 1)
        return lengths.map { $0 > 0 ? $0 : used.count > 1 ? most : 1 }
    }

    /// Huffman's: the two that come least often become one, until there is one.
    private static func lengths(_ counts: [Int], _ used: [Int], least: Int) -> [Int] {
        var lengths = [Int](repeating: 0, count: counts.count)
        guard used.count > 1 else {
            for symbol in used { lengths[symbol] = 1 }
            return lengths
        }
        var groups = used.map { (count: max(counts[$0], least), symbols: [$0]) }
        while groups.count > 1 {
            // Sorted down, in a fixed order among equals.
            groups.sort {
                ($1.count, $0.symbols.count, $0.symbols[0])
                    < ($0.count, $1.symbols.count, $1.symbols[0])
            }
            let (last, other) = (groups.removeLast(), groups.removeLast())
            let symbols = other.symbols + last.symbols
            for symbol in symbols { lengths[symbol] += 1 }
            groups.append((last.count + other.count, symbols))
        }
        return lengths
    }

    /// Shorter words come first, and among equals those of lower symbols.
    private static func words(_ lengths: [Int]) -> [Int] {
        var words = [Int](repeating: 0, count: lengths.count)
        var next = 0
        for length in 1...max(1, lengths.max() ?? 1) {
            for symbol in lengths.indices where lengths[symbol] == length {
                for bit in 0..<length where next >> bit & 1 == 1 {
                    words[symbol] |= 1 << (length - 1 - bit)
                }
                next += 1
            }
            next <<= 1
        }
        return words
    }

    func put(_ symbol: Int, into bits: inout WebPBits) {
        guard used.count > 1 else { return }
        bits.put(words[symbol], count: lengths[symbol])
    }

    /// Writes the code itself.
    func put(into bits: inout WebPBits) {
        if used.count < 3, used.allSatisfy({ $0 < 256 }) {
            putFew(into: &bits)
        } else {
            putLengths(into: &bits)
        }
    }

    /// One symbol or two are named.
    private func putFew(into bits: inout WebPBits) {
        bits.put(1, count: 1)
        bits.put(used.count > 1 ? 1 : 0, count: 1)
        let first = used.first ?? 0
        bits.put(first > 1 ? 1 : 0, count: 1)
        bits.put(first, count: first > 1 ? 8 : 1)
        if used.count > 1 { bits.put(used[1], count: 8) }
    }

    /// The lengths of all, under a code of their own.
    private func putLengths(into bits: inout WebPBits) {
        let tokens = tokens
        var counts = [Int](repeating: 0, count: Self.order.count)
        for token in tokens { counts[token.symbol] += 1 }
        let code = WebPPrefixCode(counts: counts, limit: 7)
        var ordered = Self.order.map { code.lengths[$0] }
        while ordered.count > 4, ordered.last == 0 { ordered.removeLast() }
        bits.put(0, count: 1)
        bits.put(ordered.count - 4, count: 4)
        for length in ordered { bits.put(length, count: 3) }
        // How many of these tokens there are, in eight bits or ten.
        bits.put(1, count: 1)
        let size = tokens.count - 2 < 256 ? 8 : 10
        bits.put((size - 2) / 2, count: 3)
        bits.put(tokens.count - 2, count: size)
        for token in tokens {
            code.put(token.symbol, into: &bits)
            bits.put(token.rest, count: token.bits)
        }
    }

    /// Lengths one by one up to the last, runs of zeros together; never fewer than two tokens.
    private var tokens: [(symbol: Int, rest: Int, bits: Int)] {
        var tokens: [(symbol: Int, rest: Int, bits: Int)] = []
        let end = max((used.last ?? 0) + 1, 2)
        var place = 0
        while place < end {
            var zeros = 0
            while place + zeros < end, lengths[place + zeros] == 0, zeros < 138 { zeros += 1 }
            if zeros > 10 {
                tokens.append((Self.repeatZeroLong, zeros - 11, 7))
            } else if zeros > 2 {
                tokens.append((Self.repeatZero, zeros - 3, 3))
            } else {
                zeros = 1
                tokens.append((lengths[place], 0, 0))
            }
            place += zeros
        }
        return tokens
    }
}
