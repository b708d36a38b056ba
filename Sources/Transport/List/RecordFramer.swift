/// Cuts a CSV or TSV list into records: a line feed inside quotes does not end one.
///
/// A quote counts only where a field begins, as in RFC 4180; elsewhere it is a letter like others.
/// Text after a closing quote means that a quote is missing somewhere before it. Such a record ends at
/// its first line feed, so that the rows between the two quotes are not lost.
struct RecordFramer {
    private enum State {
        case fieldStart, plain, quoted, quoteInQuoted, returnAfterQuote
    }

    private enum Find {
        case end(Int)
        /// The index of the text after a closing quote, or of a line feed from which it is known that
        /// such text follows.
        case fault(Int)
    }

    /// The scan of one record.
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

    private func scan(_ window: ListWindow, _ progress: inout Progress) -> Find? {
        var state = progress.state
        var firstBreak = progress.firstBreak
        let first = window.start + progress.scanned
        let base = window.offset - Int64(window.start)
        let found = unsafe window.bytes.withUnsafeBufferPointer { bytes -> Find? in
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

    /// Returns the first line of a record that has text after a closing quote.
    private func firstLine(
        _ window: inout ListWindow, _ offset: Int64, _ line: Int, _ progress: Progress,
        fault index: Int
    ) throws(ListError) -> ListFrame? {
        let place = window.offset + Int64(index - window.start)
        var faultLine = window.line + window.bytes[window.start..<index].lineFeeds
        if let known = window.quoteFault, known.range.contains(place) {
            faultLine = known.line
        } else if let start = progress.firstBreak {
            // At each line feed in between the scan is inside quotes. A record that is inside quotes at
            // one of them ends at the same text, which saves scanning the same bytes for every row.
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

/// A quoted field of several lines with text after its closing quote.
struct QuoteFault: Sendable {
    /// The offsets from the first line feed inside the quotes to the text after them.
    let range: Range<Int64>
    /// The line of the closing quote.
    let line: Int
}

extension Collection<UInt8> {
    var lineFeeds: Int { reduce(into: 0) { $0 += $1 == 0x0A ? 1 : 0 } }
}
