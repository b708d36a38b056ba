import Batch
import Engine
import Notation
import Transport

/// One row of the stream, and the picture that came with it.
struct StreamRow: Sendable {
    /// The caller's own name for the row, given back as it came.
    let key: JSON?
    let item: BatchItem
    /// What it takes in memory while it waits and while it is made.
    let bytes: Int
}

/// Why the next frame of a stream cannot be found.
package enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    case badLength(line: Int, String)
    case tooLong(line: Int, limit: Int)
    case cutOff(line: Int, missing: Int)
    case unreadable(String)

    package var description: String {
        switch self {
        case .badLength(let line, let reason):
            "row \(line): \(reason), so that the next row cannot be found"
        case .tooLong(let line, let limit):
            "row \(line) has more than \(limit) bytes before its end, so that the next row cannot "
                + "be found"
        case .cutOff(let line, let missing):
            "the stream ends in the picture of row \(line): \(missing) bytes are missing"
        case .unreadable(let reason): "standard input cannot be read: \(reason)"
        }
    }
}

/// Cuts a stream into rows: a line of JSON, and as many bytes behind it as it says.
struct FrameReader: ~Copyable {
    private static let lineLimit = 4 << 20
    private static let blockBytes = 256 << 10
    private static let jsonLimits = JSONLimits(bytes: lineLimit, depth: 64, values: 100_000)
    /// What a row takes beside its bytes.
    private static let rowBytes = 1_024

    private let descriptor: Int32
    /// Pictures with more bytes are passed by.
    private let pictureLimit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var line = 0
    private var index = 0

    init(_ descriptor: Int32, pictureLimit: Int) {
        self.descriptor = descriptor
        self.pictureLimit = pictureLimit
    }

    /// The next row; nil at the end of the stream.
    mutating func next() throws(FrameError) -> StreamRow? {
        while let text = try nextLine() {
            line += 1
            guard text.contains(where: { !Self.isSpace($0) }) else { continue }
            defer { index += 1 }
            return try row(text)
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }

    private mutating func row(_ text: [UInt8]) throws(FrameError) -> StreamRow {
        let value: JSON
        do throws(JSONError) {
            value = try JSONParser.parse(text.span, limits: Self.jsonLimits)
        } catch {
            guard !Self.mayAnnounceBytes(text) else {
                throw .badLength(
                    line: line, "it is no JSON (\(error.reason)) and speaks of \"bytes\"")
            }
            return row(ListRow(error, line: line), bytes: 0)
        }
        guard case .object(let members) = value else {
            return row(ListRow(value, line: line), bytes: text.count)
        }
        let picture = try picture(value["bytes"])
        let columns = members.filter { $0.name != "key" && $0.name != "bytes" }
        let held = if case .bytes(let bytes) = picture { bytes.count } else { 0 }
        return row(
            ListRow(.object(columns), line: line), key: value["key"], picture,
            bytes: text.count + held)
    }

    private func row(
        _ row: ListRow, key: JSON? = nil, _ picture: GivenPicture? = nil, bytes: Int
    ) -> StreamRow {
        var item = BatchItem(index: index, row: row, picture: picture)
        item.name = item.wantedName
        item.row = index + 1
        return StreamRow(key: key, item: item, bytes: Self.rowBytes + bytes)
    }

    /// What cannot be read as a row may have a picture behind it all the same.
    private static func mayAnnounceBytes(_ text: [UInt8]) -> Bool {
        text.contains("\"bytes\"".utf8)
    }

    private mutating func picture(_ length: JSON?) throws(FrameError) -> GivenPicture? {
        guard let length, length != .null else { return nil }
        guard let count = length.intValue, count >= 0 else {
            let text = PrintableText.escaped(length.text, limit: 40)
            throw .badLength(line: line, "\"bytes\" is \(text), no count")
        }
        guard count <= pictureLimit else {
            try skip(count)
            return .tooLarge
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            if start == buffer.count, try !fill() {
                throw .cutOff(line: line, missing: count - bytes.count)
            }
            let part = min(count - bytes.count, buffer.count - start)
            bytes.append(contentsOf: buffer[start..<(start + part)])
            start += part
        }
        return .bytes(bytes)
    }

    private mutating func skip(_ count: Int) throws(FrameError) {
        var left = count
        while left > 0 {
            if start == buffer.count, try !fill() { throw .cutOff(line: line, missing: left) }
            let part = min(left, buffer.count - start)
            start += part
            left -= part
        }
    }

    /// A line without its end; the last one may lack it.
    private mutating func nextLine() throws(FrameError) -> [UInt8]? {
        var text: [UInt8] = []
        while true {
            if let end = buffer[start...].lineEnd {
                text.append(contentsOf: buffer[start..<end])
                start = end + 1
                guard text.count <= Self.lineLimit else { break }
                return text
            }
            text.append(contentsOf: buffer[start...])
            start = buffer.count
            guard text.count <= Self.lineLimit else { break }
            if try !fill() { return text.isEmpty ? nil : text }
        }
        throw .tooLong(line: line + 1, limit: Self.lineLimit)
    }

    /// Reads on; `false` at the end of the stream.
    private mutating func fill() throws(FrameError) -> Bool {
        guard !isAtEnd else { return false }
        let descriptor = descriptor
        do throws(Errno) {
            buffer = try unsafe [UInt8](unsafeUninitializedCapacity: Self.blockBytes) {
                room, count throws(Errno) in
                count = try unsafe SystemCalls.read(
                    descriptor, into: UnsafeMutableRawBufferPointer(room))
            }
        } catch {
            throw .unreadable("\(error)")
        }
        start = 0
        isAtEnd = buffer.isEmpty
        return !isAtEnd
    }
}
