import Notation

/// Cuts a JSON array into its elements without holding more than one of them.
struct ElementFramer {
    private enum State {
        case beforeArray, afterBracket, afterElement, done
    }

    let fileName: String
    private var state: State

    /// A framer at the start of the text, or at the first byte of an element.
    init(fileName: String, atElement: Bool = false) {
        self.fileName = fileName
        state = atElement ? .afterBracket : .beforeArray
    }

    mutating func next(_ window: inout ListWindow) throws(ListError) -> ListFrame? {
        if state == .beforeArray {
            let first = try nextByte(&window)
            guard first == UInt8(ascii: "[") else { throw noArray(window, first) }
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

    /// Of a text that is no array; one that holds an array is a list in an envelope.
    private func noArray(_ window: ListWindow, _ first: UInt8?) -> ListError {
        let text = window.bytes[window.start...].filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let parts = text.split(separator: UInt8(ascii: "\""), maxSplits: 2)
        if first == UInt8(ascii: "{"), parts.count == 3, parts[0].elementsEqual("{".utf8),
            parts[2].starts(with: ":[".utf8)
        {
            let name = PrintableText.escaped(String(decoding: parts[1], as: UTF8.self), limit: 40)
            return malformed(
                window,
                "it is an object with its rows in \"\(name)\"; extract the array, for example with "
                    + "'jq .\(name)'")
        }
        return malformed(
            window, "it does not start with [; use --list-format ndjson for one object per line")
    }

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

    /// Steps over white space and counts its lines.
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

    private func broken(_ window: ListWindow, _ byte: UInt8?) -> ListError {
        guard byte != nil else { return malformed(window, "the array is not closed") }
        return malformed(window, "a comma or a bracket is missing or misplaced")
    }

    private func malformed(_ window: ListWindow, _ reason: String) -> ListError {
        ListError(file: fileName, line: window.line, .malformed(reason))
    }

    /// How deep the scan of an element is, and whether it is inside a string.
    private struct Scan {
        var depth = 0
        var isInString = false
        var isEscaped = false
        var lineFeeds = 0

        /// The comma or bracket behind the element, if it is there.
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
