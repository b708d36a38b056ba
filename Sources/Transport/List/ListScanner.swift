import Notation

/// The place of a row in the text of a list.
struct ListFrame {
    let range: Range<Int>
    let line: Int
    /// The line with text after a closing quote; nil if there is no such text.
    var quoteFaultLine: Int?

    var isTooLong: Bool { range.count > ListScanner.rowBytesLimit }
}

/// The position of text after the closing quote of a field that has several lines.
struct QuoteFault: Sendable {
    /// The indices from the first line feed inside the quotes to the text after the closing quote.
    let range: Range<Int>
    let line: Int
}

/// Finds the next row in the text of a list.
struct ListScanner {
    static let rowBytesLimit = 1 << 20

    private enum ArrayState { case beforeArray, afterBracket, afterElement, done }
    private enum QuoteState { case fieldStart, plain, quoted, quoteInQuoted, returnAfterQuote }

    let bytes: [UInt8]
    private let fileName: String
    /// The index of the first unused byte.
    var position: Int
    /// The line of `position`, counted from one.
    var line: Int
    /// The last text after a closing quote that was found.
    var quoteFault: QuoteFault?
    private var state: ArrayState

    /// - Parameter atElement: Whether the scan of an array begins at an element.
    init(
        _ bytes: [UInt8], named fileName: String, at position: Int, line: Int,
        atElement: Bool = false
    ) {
        self.bytes = bytes
        self.fileName = fileName
        self.position = position
        self.line = line
        state = atElement ? .afterBracket : .beforeArray
    }

    private func malformed(_ reason: String) -> ListError {
        ListError(file: fileName, line: line, .malformed(reason))
    }

    /// Returns the frame up to `end`, and moves behind the line feed there. A CR before the line
    /// feed belongs to the line end.
    private mutating func take(to end: Int) -> ListFrame {
        let start = position
        let text = bytes[start..<end]
        let frame = ListFrame(
            range: start..<(text.last == 0x0D ? end - 1 : end), line: line)
        line += 1 + text.lineFeeds
        position = min(end + 1, bytes.count)
        return frame
    }

    /// Returns the next line; nil at the end.
    mutating func nextLine() -> ListFrame? {
        guard position < bytes.count else { return nil }
        return take(to: bytes[position...].lineEnd ?? bytes.count)
    }

    /// Returns the next record of a CSV or TSV list; nil at the end. A line feed inside quotes does
    /// not end a record.
    ///
    /// A quote has a meaning only at the start of a field, as in RFC 4180. Text after a closing
    /// quote shows that a quote is missing somewhere before. Such a record ends at its first line
    /// feed, so that the rows between the two quotes are not lost.
    mutating func nextRecord(separator: UInt8) throws(ListError) -> ListFrame? {
        guard position < bytes.count else { return nil }
        var state = QuoteState.fieldStart
        var firstBreak: Int?
        var end = position
        scan: while end < bytes.count {
            let byte = bytes[end]
            switch state {
            case .quoted:
                if byte == 0x22 {
                    state = .quoteInQuoted
                } else if byte == 0x0A, firstBreak == nil {
                    firstBreak = end
                    // An earlier scan was inside quotes here, and found text after them.
                    if quoteFault?.range.contains(end) ?? false {
                        return faultyLine(at: end, since: end)
                    }
                }
            case .quoteInQuoted where byte == 0x22: state = .quoted
            case .quoteInQuoted where byte == 0x0D: state = .returnAfterQuote
            case .quoteInQuoted where byte != separator && byte != 0x0A,
                .returnAfterQuote where byte != 0x0A:
                return faultyLine(at: end, since: firstBreak)
            case .fieldStart where byte == 0x22: state = .quoted
            default:
                if byte == 0x0A { break scan }
                state = byte == separator ? .fieldStart : .plain
            }
            end += 1
        }
        guard end < bytes.count || state != .quoted else {
            throw malformed("a quote in this row is not closed")
        }
        return take(to: end)
    }

    /// Returns only the first line of a record with text after a closing quote.
    private mutating func faultyLine(at index: Int, since firstBreak: Int?) -> ListFrame? {
        var faultLine = line
        if let known = quoteFault, known.range.contains(index) {
            faultLine = known.line
        } else {
            faultLine += bytes[position..<index].lineFeeds
            // At each line feed in this range the scan is inside quotes. If the scan of a later
            // record is inside quotes at such a line feed, it ends in the same fault and can stop
            // there.
            if let firstBreak {
                quoteFault = QuoteFault(range: firstBreak..<index, line: faultLine)
            }
        }
        var frame = nextLine()
        frame?.quoteFaultLine = faultLine
        return frame
    }

    /// Returns the next element of a JSON array; nil after the last.
    mutating func nextElement() throws(ListError) -> ListFrame? {
        if state == .beforeArray {
            guard nextByte() == UInt8(ascii: "[") else { throw noArray() }
            position += 1
            state = .afterBracket
        }
        if state == .done { return nil }
        let byte = nextByte()
        if byte == UInt8(ascii: "]") {
            position += 1
            state = .done
            guard nextByte() == nil else { throw malformed("there is more text after the array") }
            return nil
        }
        if state == .afterElement {
            guard byte == UInt8(ascii: ",") else { throw broken(byte) }
            position += 1
            guard nextByte() != UInt8(ascii: "]") else {
                throw malformed("there is a comma before the closing bracket")
            }
        }
        state = .afterElement
        return try element()
    }

    /// Skips white space and returns the byte after it; nil at the end.
    private mutating func nextByte() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x0A: line += 1
            case 0x20, 0x09, 0x0D: break
            case let byte: return byte
            }
            position += 1
        }
        return nil
    }

    /// Returns the element after white space, up to the comma or bracket that follows it.
    private mutating func element() throws(ListError) -> ListFrame {
        _ = nextByte()
        let (start, firstLine) = (position, line)
        var depth = 0
        var isInString = false
        var isEscaped = false
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case 0x0A:
                line += 1
                isEscaped = false
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
                if depth == 0 {
                    guard position > start else { throw broken(byte) }
                    return ListFrame(range: start..<position, line: firstLine)
                }
                if byte != UInt8(ascii: ",") { depth -= 1 }
            default: break
            }
            position += 1
        }
        line = firstLine
        throw broken(nil)
    }

    /// Returns the error for an array that ends, or has `byte`, in a wrong place.
    private func broken(_ byte: UInt8?) -> ListError {
        malformed(
            byte == nil
                ? "the array is not closed" : "a comma or a bracket is missing or misplaced")
    }

    /// Returns the error for a text that is not an array. For an object that contains an array, the
    /// message says how to extract the array.
    private func noArray() -> ListError {
        guard let name = Self.envelope(bytes[position...]) else {
            return malformed("it does not start with [")
        }
        let shown = PrintableText.escaped(name, limit: 40)
        return malformed(
            "it is an object with its rows in \"\(shown)\"; extract the array, for example with "
                + "'jq .\(shown)'")
    }

    /// Returns the name of the first member of an object if the member is an array.
    static func envelope(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = bytes.prefix(65_536).filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let parts = text.split(separator: UInt8(ascii: "\""), maxSplits: 2)
        guard parts.count == 3, parts[0].elementsEqual("{".utf8), parts[2].starts(with: ":[".utf8)
        else { return nil }
        return String(decoding: parts[1], as: UTF8.self)
    }
}

extension Collection<UInt8> {
    var lineFeeds: Int { reduce(into: 0) { $0 += $1 == 0x0A ? 1 : 0 } }
}

/// Splits one record of a CSV or TSV list into its fields (RFC 4180).
enum DelimitedRecord {
    /// Returns the fields without quotes, and whether all are UTF-8; invalid bytes become U+FFFD.
    /// Text between a closing quote and the next separator is kept.
    static func fields(
        _ record: ArraySlice<UInt8>, separator: UInt8
    ) -> (texts: [String], areUTF8: Bool) {
        var fields: [String] = []
        var areUTF8 = true
        func add(_ bytes: some Collection<UInt8>) {
            if let text = String(validating: bytes, as: UTF8.self) {
                fields.append(text)
            } else {
                fields.append(String(decoding: bytes, as: UTF8.self))
                areUTF8 = false
            }
        }
        var index = record.startIndex
        while true {
            if index < record.endIndex, record[index] == 0x22 {
                add(quoted(record, &index, separator))
            } else {
                let end = record[index...].firstIndex(of: separator) ?? record.endIndex
                add(record[index..<end])
                index = end
            }
            guard index < record.endIndex else { return (fields, areUTF8) }
            index += 1
        }
    }

    private static func quoted(
        _ record: ArraySlice<UInt8>, _ index: inout Int, _ separator: UInt8
    ) -> [UInt8] {
        var text: [UInt8] = []
        index += 1
        while index < record.endIndex {
            let byte = record[index]
            index += 1
            if byte != 0x22 {
                text.append(byte)
            } else if index < record.endIndex, record[index] == 0x22 {
                text.append(0x22)
                index += 1
            } else {
                break
            }
        }
        let end = record[index...].firstIndex(of: separator) ?? record.endIndex
        text.append(contentsOf: record[index..<end])
        index = end
        return text
    }
}
