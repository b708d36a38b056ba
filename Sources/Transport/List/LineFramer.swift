import Notation

/// Cuts a list into lines, or into texts that end with NUL. A CR before the LF belongs to the line's end.
enum LineFramer {
    static func next(
        _ window: inout ListWindow, endingWithNUL: Bool = false
    ) throws(ListError) -> ListFrame? {
        let offset = window.offset
        let line = window.line
        var scanned = 0
        var isTooLong = false
        while true {
            if let end = end(in: window, after: scanned, endingWithNUL) {
                let range = window.start..<end
                window.skip(end + 1 - window.start)
                window.line += 1
                return frame(offset, line, range, window.bytes, isTooLong, endingWithNUL)
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
        return frame(offset, line, range, window.bytes, isTooLong, endingWithNUL)
    }

    private static func frame(
        _ offset: Int64, _ line: Int, _ range: Range<Int>, _ bytes: [UInt8], _ isTooLong: Bool,
        _ endingWithNUL: Bool
    ) -> ListFrame {
        if isTooLong || range.count > ListWindow.rowBytesLimit {
            return ListFrame(offset: offset, line: line, bytes: 0..<0, isTooLong: true)
        }
        let hasReturn = !endingWithNUL && bytes[range].last == 0x0D
        let end = hasReturn ? range.upperBound - 1 : range.upperBound
        return ListFrame(offset: offset, line: line, bytes: range.lowerBound..<end)
    }

    private static func end(
        in window: ListWindow, after scanned: Int, _ endingWithNUL: Bool
    ) -> Int? {
        let rest = window.bytes[(window.start + scanned)...]
        return endingWithNUL ? rest.firstIndex(of: 0) : rest.lineEnd
    }
}
