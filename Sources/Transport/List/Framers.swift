import Notation

/// Splits a list into lines. A CR before the LF belongs to the line end.
enum LineFramer {
    static func next(_ window: inout ListWindow) throws(ListError) -> ListFrame? {
        let offset = window.offset
        let line = window.line
        var scanned = 0
        var isTooLong = false
        while true {
            if let end = window.bytes[(window.start + scanned)...].lineEnd {
                let range = window.start..<end
                window.skip(end + 1 - window.start)
                window.line += 1
                return frame(offset, line, range, window.bytes, isTooLong)
            }
            scanned = window.count
            if scanned > ListWindow.rowBytesLimit {
                isTooLong = true
                window.skip(scanned)
                scanned = 0
            }
            if try !window.more() { break }
        }
        guard window.count > 0 || isTooLong else { return nil }
        let range = window.start..<window.bytes.count
        window.skip(window.count)
        window.line += 1
        return frame(offset, line, range, window.bytes, isTooLong)
    }

    private static func frame(
        _ offset: Int64, _ line: Int, _ range: Range<Int>, _ bytes: [UInt8], _ isTooLong: Bool
    ) -> ListFrame {
        if isTooLong || range.count > ListWindow.rowBytesLimit {
            return ListFrame(offset: offset, line: line, bytes: 0..<0, isTooLong: true)
        }
        let hasReturn = bytes[range].last == 0x0D
        let end = hasReturn ? range.upperBound - 1 : range.upperBound
        return ListFrame(offset: offset, line: line, bytes: range.lowerBound..<end)
    }
}

/// Splits a CSV or TSV list into records: a line feed inside quotes does not end a record.
///
/// A quote has a meaning only at the start of a field, as in RFC 4180. Text after a closing quote
/// shows that a quote is missing somewhere before. Such a record ends at its first line feed, so
/// that the rows between the two quotes are not lost.
struct RecordFramer {
    private enum State {
        case fieldStart, plain, quoted, quoteInQuoted, returnAfterQuote
    }

    private enum ScanResult {
        case end(Int)
        /// The index of text after a closing quote, or of a line feed inside quotes after which an
        /// earlier scan found such text.
        case fault(Int)
    }

    private struct Progress {
        var state = State.fieldStart
        var scanned = 0
        /// The offset of the first line feed inside quotes.
        var firstBreak: Int64?
    }

    let separator: UInt8
    let fileName: String

    func next(_ window: inout ListWindow) throws(ListError) -> ListFrame? {
        let offset = window.offset
        let line = window.line
        var progress = Progress()
        var isTooLong = false
        while true {
            switch scan(window, &progress) {
            case .end(let end):
                let range = window.start..<end
                window.skip(end + 1 - window.start)
                window.line += 1 + window.bytes[range].lineFeeds
                return frame(offset, line, range, window.bytes, isTooLong)
            case .fault(let index):
                return try firstLine(&window, offset, line, progress, fault: index)
            case nil: break
            }
            if progress.scanned > ListWindow.rowBytesLimit {
                isTooLong = true
                window.line += window.bytes[window.start...].lineFeeds
                window.skip(progress.scanned)
                progress.scanned = 0
            }
            if try !window.more() { break }
        }
        guard progress.state != .quoted else {
            throw ListError(
                file: fileName, line: line, .malformed("a quote in this row is not closed"))
        }
        guard window.count > 0 || isTooLong else { return nil }
        let range = window.start..<window.bytes.count
        window.skip(window.count)
        window.line += 1 + window.bytes[range].lineFeeds
        return frame(offset, line, range, window.bytes, isTooLong)
    }

    private func scan(_ window: ListWindow, _ progress: inout Progress) -> ScanResult? {
        var state = progress.state
        var firstBreak = progress.firstBreak
        let first = window.start + progress.scanned
        let base = window.offset - Int64(window.start)
        let found = unsafe window.bytes.withUnsafeBufferPointer { bytes -> ScanResult? in
            for index in first..<bytes.count {
                let byte = unsafe bytes[index]
                switch state {
                case .quoted:
                    if byte == 0x22 {
                        state = .quoteInQuoted
                    } else if byte == 0x0A, firstBreak == nil {
                        let place = base + Int64(index)
                        firstBreak = place
                        if window.quoteFault?.range.contains(place) ?? false {
                            return .fault(index)
                        }
                    }
                    continue
                case .quoteInQuoted where byte == 0x22:
                    state = .quoted
                    continue
                case .quoteInQuoted where byte == 0x0D:
                    state = .returnAfterQuote
                    continue
                case .quoteInQuoted where byte != separator && byte != 0x0A,
                    .returnAfterQuote where byte != 0x0A:
                    return .fault(index)
                case .fieldStart where byte == 0x22:
                    state = .quoted
                    continue
                default: break
                }
                if byte == 0x0A { return .end(index) }
                state = byte == separator ? .fieldStart : .plain
            }
            return nil
        }
        progress = Progress(state: state, scanned: window.count, firstBreak: firstBreak)
        return found
    }

    /// Returns only the first line of a record with text after a closing quote, and moves the
    /// window to the line after it.
    private func firstLine(
        _ window: inout ListWindow, _ offset: Int64, _ line: Int, _ progress: Progress,
        fault index: Int
    ) throws(ListError) -> ListFrame? {
        let place = window.offset + Int64(index - window.start)
        var faultLine = window.line + window.bytes[window.start..<index].lineFeeds
        if let known = window.quoteFault, known.range.contains(place) {
            faultLine = known.line
        } else if let start = progress.firstBreak {
            // At each line feed in this range the scan is inside quotes. If the scan of a later
            // record is inside quotes at such a line feed, it ends in the same fault and can stop
            // there.
            window.quoteFault = QuoteFault(range: start..<place, line: faultLine)
        }
        window.rewind(to: offset, line: line)
        var frame = try LineFramer.next(&window)
        frame?.quoteFaultLine = faultLine
        return frame
    }

    private func frame(
        _ offset: Int64, _ line: Int, _ range: Range<Int>, _ bytes: [UInt8], _ isTooLong: Bool
    ) -> ListFrame {
        if isTooLong || range.count > ListWindow.rowBytesLimit {
            return ListFrame(offset: offset, line: line, bytes: 0..<0, isTooLong: true)
        }
        let hasReturn = bytes[range].last == 0x0D
        let end = hasReturn ? range.upperBound - 1 : range.upperBound
        return ListFrame(offset: offset, line: line, bytes: range.lowerBound..<end)
    }
}

/// The position of text after the closing quote of a field that has several lines.
struct QuoteFault: Sendable {
    /// The file offsets from the first line feed inside the quotes to the text after the closing
    /// quote.
    let range: Range<Int64>
    let line: Int
}

extension Collection<UInt8> {
    var lineFeeds: Int { reduce(into: 0) { $0 += $1 == 0x0A ? 1 : 0 } }
}

/// Splits a JSON array into its elements, and holds one element at a time.
struct ElementFramer {
    private enum State {
        case beforeArray, afterBracket, afterElement, done
    }

    let fileName: String
    private var state: State

    /// Creates a framer at the start of the text, or at the first byte of an element.
    init(fileName: String, atElement: Bool = false) {
        self.fileName = fileName
        state = atElement ? .afterBracket : .beforeArray
    }

    mutating func next(_ window: inout ListWindow) throws(ListError) -> ListFrame? {
        if state == .beforeArray {
            let first = try nextByte(&window)
            guard first == UInt8(ascii: "[") else { throw noArray(window) }
            window.skip(1)
            state = .afterBracket
        }
        if state == .done { return nil }
        let byte = try nextByte(&window)
        if byte == UInt8(ascii: "]") {
            window.skip(1)
            state = .done
            guard try nextByte(&window) == nil else {
                throw malformed(window, "there is more text after the array")
            }
            return nil
        }
        if state == .afterElement {
            guard byte == UInt8(ascii: ",") else { throw broken(window, byte) }
            window.skip(1)
            guard try nextByte(&window) != UInt8(ascii: "]") else {
                throw malformed(window, "there is a comma before the closing bracket")
            }
        }
        state = .afterElement
        return try element(&window)
    }

    /// Returns the error for a text that is not an array. For an object that contains an array, the
    /// message says how to extract the array.
    private func noArray(_ window: ListWindow) -> ListError {
        guard let name = Self.envelope(window.bytes[window.start...]) else {
            return malformed(window, "it does not start with [")
        }
        let shown = PrintableText.escaped(name, limit: 40)
        return malformed(
            window,
            "it is an object with its rows in \"\(shown)\"; extract the array, for example with "
                + "'jq .\(shown)'")
    }

    /// Returns whether a text is an object whose first member is an array.
    static func isEnvelope(_ bytes: [UInt8]) -> Bool { envelope(bytes[...]) != nil }

    /// Returns the name of the first member of an object if the member is an array.
    private static func envelope(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let parts = text.split(separator: UInt8(ascii: "\""), maxSplits: 2)
        guard parts.count == 3, parts[0].elementsEqual("{".utf8), parts[2].starts(with: ":[".utf8)
        else { return nil }
        return String(decoding: parts[1], as: UTF8.self)
    }

    /// Returns the element that begins after white space.
    private func element(_ window: inout ListWindow) throws(ListError) -> ListFrame {
        _ = try nextByte(&window)
        let offset = window.offset
        let line = window.line
        var scan = Scan()
        var scanned = 0
        var isTooLong = false
        while true {
            let first = window.start + scanned
            if let end = scan.end(in: window.bytes, from: first) {
                let range = window.start..<end
                guard isTooLong || !range.isEmpty else { throw broken(window, window.bytes[end]) }
                window.skip(end - window.start)
                window.line = line + scan.lineFeeds
                let isLong = isTooLong || range.count > ListWindow.rowBytesLimit
                return ListFrame(
                    offset: offset, line: line, bytes: isLong ? 0..<0 : range, isTooLong: isLong)
            }
            scanned = window.count
            if scanned > ListWindow.rowBytesLimit {
                isTooLong = true
                window.skip(scanned)
                scanned = 0
            }
            if try !window.more() { throw broken(window, nil) }
        }
    }

    /// Skips white space and counts its lines.
    private func nextByte(_ window: inout ListWindow) throws(ListError) -> UInt8? {
        while let byte = try window.peek() {
            switch byte {
            case 0x0A:
                window.line += 1
                window.skip(1)
            case 0x20, 0x09, 0x0D: window.skip(1)
            default: return byte
            }
        }
        return nil
    }

    /// Returns the error for an array that ends, or has `byte`, in a wrong place.
    private func broken(_ window: ListWindow, _ byte: UInt8?) -> ListError {
        guard byte != nil else { return malformed(window, "the array is not closed") }
        return malformed(window, "a comma or a bracket is missing or misplaced")
    }

    private func malformed(_ window: ListWindow, _ reason: String) -> ListError {
        ListError(file: fileName, line: window.line, .malformed(reason))
    }

    /// The state of a search for the end of an element.
    private struct Scan {
        var depth = 0
        var isInString = false
        var isEscaped = false
        var lineFeeds = 0

        /// Returns the index of the comma or bracket after the element; nil if it is not in `bytes`
        /// yet.
        mutating func end(in bytes: [UInt8], from first: Int) -> Int? {
            for index in first..<bytes.count {
                let byte = bytes[index]
                if byte == 0x0A { lineFeeds += 1 }
                if isInString {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInString = false
                    }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return index }
                    depth -= 1
                case UInt8(ascii: ","):
                    if depth == 0 { return index }
                default: break
                }
            }
            return nil
        }
    }
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
