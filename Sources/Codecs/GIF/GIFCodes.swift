import Raster

/// Unpacks the LZW data of a frame, row by row, to one colour index per pixel.
@safe
final class GIFCodes {
    enum End {
        case whole
        /// The data ended before the last row.
        case truncated
        /// The data has an invalid code.
        case broken
    }

    /// The reason why the reading ended; nil while rows follow.
    private(set) var end: End?
    private let width: Int
    private var rowsLeft: Int
    private var blocks: Blocks
    private var table: Table
    /// The unpacked indices: `filled` of them, of which `next` has returned the first `shown`.
    private let line: UnsafeMutablePointer<UInt8>
    private var shown = 0
    private var filled = 0

    /// - Parameter bytes: must outlive the value.
    @unsafe
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ layout: GIFLayout) {
        width = layout.frame.size.width
        rowsLeft = layout.frame.size.height
        unsafe blocks = Blocks(bytes: bytes, offset: layout.dataStart + 1)
        unsafe line = .allocate(capacity: width + Table.count)
        let bits = unsafe layout.dataStart < bytes.count ? Int(bytes[layout.dataStart]) : nil
        let isValid = bits.map((1...11).contains) ?? true
        table = Table(bits: isValid ? bits ?? 1 : 1)
        end = bits == nil ? .truncated : isValid ? nil : .broken
    }

    /// Creates a second reader that continues at the same row.
    init(copy other: GIFCodes) {
        (width, rowsLeft, end, table) = (other.width, other.rowsLeft, other.end, other.table)
        unsafe blocks = unsafe other.blocks
        (shown, filled) = (other.shown, other.filled)
        unsafe line = .allocate(capacity: width + Table.count)
        unsafe line.update(from: other.line, count: filled)
    }

    deinit {
        unsafe line.deallocate()
    }

    /// Returns the next row, which is valid until the next call; nil if no row follows. If the data
    /// ends inside the row, returns fewer indices than the width.
    func next() -> UnsafeBufferPointer<UInt8>? {
        guard rowsLeft > 0 else { return nil }
        if filled - shown < width {
            unsafe line.update(from: line + shown, count: filled - shown)
            (shown, filled) = (0, filled - shown)
            while end == nil, filled < width { end = take() }
        }
        let count = min(width, filled - shown)
        let row = unsafe UnsafeBufferPointer(start: line + shown, count: count)
        shown += count
        rowsLeft -= 1
        if rowsLeft == 0, count == width { end = .whole }
        return unsafe count > 0 ? row : nil
    }

    /// Unpacks the next code; returns a value if the data ends or is invalid.
    private func take() -> End? {
        let code = unsafe blocks.next(table.width)
        if code < 0 || code == table.clear + 1 { return .truncated }
        if code == table.clear {
            table.reset()
            return nil
        }
        // A code may be used just before it is defined. It then means the previous string followed
        // by the first index of that string.
        let isNew = code == table.next && table.previous >= 0
        guard isNew || code < table.next else { return .broken }
        let known = isNew ? table.previous : code
        let end = filled + table.length(of: known)
        unsafe table.write(known, before: line + end, count: end - filled)
        filled = end
        if isNew {
            unsafe line[end] = table.first(of: known)
            filled += 1
        }
        table.define(endingWith: table.first(of: known))
        table.previous = code
        return nil
    }

    /// The LZW strings by code. Each string is another string followed by one index.
    private struct Table {
        /// The number of codes of at most twelve bits, which also limits the length of a string.
        static let count = 4096

        let clear: Int
        /// The bits in a code.
        private(set) var width: Int
        /// The code that is defined next.
        private(set) var next: Int
        /// The code of the previous string; -1 after a clear code.
        var previous = -1
        /// The minimum code size of the frame: the bits of an index.
        private let bits: Int
        private var strings: [Entry]

        /// A string of indices. All but its last index are the string of the code `prefix`.
        private struct Entry {
            var prefix: UInt16
            var length: UInt16
            var first: UInt8
            var last: UInt8
        }

        init(bits: Int) {
            self.bits = bits
            clear = 1 << bits
            width = bits + 1
            next = clear + 2
            strings = (0..<Self.count).map { code in
                let index = UInt8(truncatingIfNeeded: code)
                return Entry(prefix: 0, length: 1, first: index, last: index)
            }
        }

        mutating func reset() {
            next = clear + 2
            width = bits + 1
            previous = -1
        }

        func length(of code: Int) -> Int { Int(strings[code].length) }

        func first(of code: Int) -> UInt8 { strings[code].first }

        /// Writes the `count` indices of a string so that they end before `end`.
        @unsafe
        func write(_ code: Int, before end: UnsafeMutablePointer<UInt8>, count: Int) {
            unsafe strings.withUnsafeBufferPointer { strings in
                var code = code
                for back in 1...count {
                    let entry = unsafe strings[code]
                    unsafe end[-back] = entry.last
                    code = Int(entry.prefix)
                }
            }
        }

        /// Defines the next code as the previous string and `last`, if there is room.
        mutating func define(endingWith last: UInt8) {
            guard previous >= 0, next < Self.count else { return }
            let prefix = strings[previous]
            strings[next] = Entry(
                prefix: UInt16(truncatingIfNeeded: previous), length: prefix.length + 1,
                first: prefix.first, last: last)
            next += 1
            if next == 1 << width, width < 12 { width += 1 }
        }
    }

    /// Reads bits from a chain of blocks of up to 255 bytes, low bits first.
    @unsafe
    private struct Blocks {
        let bytes: UnsafeBufferPointer<UInt8>
        var offset: Int
        /// The bytes left in the current block.
        var left = 0
        /// Bits that were read but are not part of a code yet, `count` of them.
        var bits: UInt32 = 0
        var count = 0

        init(bytes: UnsafeBufferPointer<UInt8>, offset: Int) {
            unsafe self.bytes = unsafe bytes
            unsafe self.offset = offset
        }

        /// Returns the next code, or -1 at the end of the blocks or bytes.
        @inline(__always)
        mutating func next(_ width: Int) -> Int {
            while unsafe count < width {
                if unsafe left == 0 {
                    guard unsafe offset < bytes.count else { return -1 }
                    unsafe left = Int(bytes[offset])
                    unsafe offset += 1
                    if unsafe left == 0 { return -1 }
                }
                guard unsafe offset < bytes.count else { return -1 }
                unsafe bits |= UInt32(bytes[offset]) << UInt32(count)
                unsafe offset += 1
                unsafe left -= 1
                unsafe count += 8
            }
            let code = unsafe bits & (1 << UInt32(width) - 1)
            unsafe bits >>= UInt32(width)
            unsafe count -= width
            return Int(code)
        }
    }
}
