/// Cuts a CSV or TSV list into records: a line feed inside quotes does not end one.
///
/// A quote counts only where a field begins, as in RFC 4180; elsewhere it is a letter like others.
struct RecordFramer {
    private enum State {
        case fieldStart, plain, quoted, quoteInQuoted
    }

    let separator: UInt8
    let fileName: String

    func next(_ window: inout ListWindow) throws(ListError) -> ListFrame? {
        let offset = window.offset
        let line = window.line
        var reached = State.fieldStart
        var scanned = 0
        var isTooLong = false
        while true {
            if let end = scan(window, &scanned, &reached) {
                let range = window.start..<end
                window.skip(end + 1 - window.start)
                window.line += 1 + lineFeeds(window.bytes[range])
                return frame(offset, line, range, window.bytes, isTooLong)
            }
            if scanned > ListWindow.rowBytesLimit {
                isTooLong = true
                window.line += lineFeeds(window.bytes[window.start...])
                window.skip(scanned)
                scanned = 0
            }
            if try !window.more() { break }
        }
        guard reached != .quoted else {
            throw ListError(
                file: fileName, line: line, .malformed("a quote in this row is never closed"))
        }
        guard window.count > 0 || isTooLong else { return nil }
        let range = window.start..<window.bytes.count
        window.skip(window.count)
        window.line += 1 + lineFeeds(window.bytes[range])
        return frame(offset, line, range, window.bytes, isTooLong)
    }

    private func scan(_ window: ListWindow, _ scanned: inout Int, _ reached: inout State) -> Int? {
        var state = reached
        let first = window.start + scanned
        let end = unsafe window.bytes.withUnsafeBufferPointer { bytes -> Int? in
            for index in first..<bytes.count {
                let byte = unsafe bytes[index]
                switch state {
                case .quoted:
                    if byte == 0x22 { state = .quoteInQuoted }
                    continue
                case .quoteInQuoted where byte == 0x22:
                    state = .quoted
                    continue
                case .fieldStart where byte == 0x22:
                    state = .quoted
                    continue
                default: break
                }
                if byte == 0x0A { return index }
                state = byte == separator ? .fieldStart : .plain
            }
            return nil
        }
        reached = state
        scanned = window.count
        return end
    }

    private func lineFeeds(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(into: 0) { $0 += $1 == 0x0A ? 1 : 0 }
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
