import Batch
import Engine
import Notation
import System
import Transport

/// One row of the stream, and the picture that came with it.
struct StreamRow: Sendable {
    /// The caller's key for the row, returned unchanged.
    let key: JSON?
    let item: BatchItem
    /// The first bytes of the line, kept if the row may turn out to be unusable.
    let beginning: [UInt8]
    /// The memory that the row takes until it has ended, in bytes.
    let bytes: Int
}

/// The reason why the next frame of a stream cannot be found.
package enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    case badLength(line: Int, String)
    case tooLong(line: Int, limit: Int)
    case cutOff(line: Int, missing: Int)
    /// The last line has no line break and is not a complete row.
    case cutRow(line: Int)
    /// The byte after a picture does not begin a row.
    case outOfStep(line: Int)
    case unreadable(String)

    package var description: String {
        switch self {
        case .badLength(let line, let reason):
            "row \(line): \(reason), so the next row cannot be found"
        case .tooLong(let line, let limit):
            "row \(line) is longer than \(limit) bytes, so the next row cannot be found"
        case .cutRow(let line): "the stream ends inside row \(line)"
        case .outOfStep(let line):
            "no row follows the image of row \(line); check its \"bytes\""
        case .cutOff(let line, let missing):
            "the stream ends in the image of row \(line): \(missing) bytes are missing"
        case .unreadable(let reason): "standard input cannot be read: \(reason)"
        }
    }
}

/// Splits a stream into rows: a line of JSON, followed by the number of bytes that it announces.
///
/// A row above 4 MiB is skipped up to its line break, for 1 GiB at most.
struct FrameReader: ~Copyable {
    private static let lineLimit = 4 << 20
    private static let skipLimit = 1 << 30
    /// The bytes of an unusable row from which its first characters are shown. More bytes than
    /// characters are kept, so that the mask sees whole URLs.
    private static let beginningBytes = 4_096
    private static let blockBytes = 256 << 10
    private static let jsonLimits = JSONLimits(bytes: lineLimit, depth: 64, values: 100_000)
    /// The memory of a row in addition to its bytes.
    private static let rowBytes = 1_024

    private let descriptor: Int32
    /// The size limit of a picture, in bytes; larger pictures are skipped.
    private let pictureLimit: Int
    private let dialect: ListDialect
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var line = 0
    private var index = 0
    /// The line whose picture was just read; nil once the byte after the picture was checked.
    private var pictureLine: Int?

    init(_ descriptor: Int32, pictureLimit: Int, dialect: ListDialect) {
        self.descriptor = descriptor
        self.pictureLimit = pictureLimit
        self.dialect = dialect
    }

    /// Returns the next row; nil at the end of the stream.
    mutating func next() throws(FrameError) -> StreamRow? {
        while true {
            try checkStep()
            guard let text = try nextLine() else { return nil }
            guard text.bytes.contains(where: { !Self.isSpace($0) }) else { continue }
            defer { index += 1 }
            return try row(text)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }

    /// Checks the byte after a picture: it must begin an object, or be a space or a line break. Any
    /// other byte means that the announced length was wrong.
    private mutating func checkStep() throws(FrameError) {
        guard let pictureLine else { return }
        if start == buffer.count, try !fill() { return }
        let byte = buffer[start]
        guard byte == UInt8(ascii: "{") || byte == 0x0A || Self.isSpace(byte) else {
            throw .outOfStep(line: pictureLine)
        }
        self.pictureLine = nil
    }

    private mutating func row(_ text: Line) throws(FrameError) -> StreamRow {
        guard !text.isTooLong else {
            var row = ListRow(line: line, offset: 0)
            row.problem = .tooLong(limit: Self.lineLimit)
            return self.row(row, text)
        }
        let value: JSON
        do throws(JSONError) {
            value = try JSONParser.parse(text.bytes.span, limits: Self.jsonLimits)
        } catch {
            guard !text.isLast else { throw .cutRow(line: line) }
            guard !Self.mayAnnounceBytes(text.bytes) else {
                throw .badLength(
                    line: line, "it has \"bytes\" and is not JSON (\(error.reason))")
            }
            return row(ListRow(error, line: line), text)
        }
        guard case .object(let members) = value else {
            return row(ListRow(value, line: line, dialect: dialect), text)
        }
        let (key, length) = (Self.member("key", of: members), Self.member("bytes", of: members))
        let picture = try picture(length?.value)
        let columns = members.filter { $0.name != key?.name && $0.name != length?.name }
        return row(
            ListRow(.object(columns), line: line, dialect: dialect), text, key: key?.value, picture)
    }

    /// Returns a member by name, ignoring case; an exact match has priority.
    private static func member(_ name: String, of members: [JSON.Member]) -> JSON.Member? {
        members.first { $0.name == name } ?? members.first { $0.name.lowercased() == name }
    }

    private func row(
        _ row: ListRow, _ text: Line, key: JSON? = nil, _ picture: GivenPicture? = nil
    ) -> StreamRow {
        var item = BatchItem(index: index, row: row, picture: picture)
        item.name = item.wantedName
        item.row = index + 1
        // Only a row with a problem or with look columns can turn out to be unusable.
        let isSound = row.problem == nil && row.look.isEmpty
        let beginning = isSound ? [] : Array(text.bytes.prefix(Self.beginningBytes))
        let held = if case .bytes(let bytes) = picture { bytes.count } else { 0 }
        return StreamRow(
            key: key, item: item, beginning: beginning,
            bytes: Self.rowBytes + text.bytes.count + beginning.count + held)
    }

    /// Whether the text contains `"bytes"`, perhaps with escaped letters. A row that is not JSON may
    /// still be followed by a picture.
    private static func mayAnnounceBytes(_ row: [UInt8]) -> Bool {
        let word = Array("\"bytes\"".utf8)
        var text: [UInt8] = []
        var rest = row[...]
        while let byte = rest.popFirst() {
            let digits = rest.dropFirst().prefix(4)
            guard byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "u"),
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                text.append(byte)
                continue
            }
            text.append(code)
            rest = rest.dropFirst(5)
        }
        guard text.count >= word.count else { return false }
        return (0...text.count - word.count).contains { start in
            text[start] == word[0]
                && word.indices.allSatisfy { text[start + $0] | 0x20 == word[$0] | 0x20 }
        }
    }

    private mutating func picture(_ length: JSON?) throws(FrameError) -> GivenPicture? {
        guard let length, length != .null else { return nil }
        guard let count = length.intValue, count >= 0 else {
            let text = PrintableText.escaped(length.text, limit: 40)
            throw .badLength(line: line, "\"bytes\" is \(text), not a number of bytes")
        }
        defer { pictureLine = line }
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

    private struct Line {
        /// The line without its line break; only the first bytes if it is too long.
        var bytes: [UInt8] = []
        var isTooLong = false
        /// Whether the stream ended before a line break.
        var isLast = false
    }

    /// Reads and counts the next line; nil at the end of the stream.
    private mutating func nextLine() throws(FrameError) -> Line? {
        var text = Line()
        line += 1
        while true {
            if let end = buffer[start...].lineEnd {
                text.bytes.append(contentsOf: buffer[start..<end])
                start = end + 1
                return text.bytes.count <= Self.lineLimit ? text : tooLong(text)
            }
            text.bytes.append(contentsOf: buffer[start...])
            start = buffer.count
            guard text.bytes.count <= Self.lineLimit else { break }
            guard try fill() else {
                text.isLast = true
                return text.bytes.isEmpty ? nil : text
            }
        }
        try skipLine(after: text.bytes)
        return tooLong(text)
    }

    private func tooLong(_ text: Line) -> Line {
        Line(bytes: Array(text.bytes.prefix(Self.beginningBytes)), isTooLong: true)
    }

    private mutating func skipLine(after first: [UInt8]) throws(FrameError) {
        var skipped = first.count
        // Each part starts with the last bytes of the part before, because `"bytes"` may cross the
        // boundary.
        var part = first
        while true {
            // The line may announce a picture, whose end would be unknown.
            guard skipped <= Self.skipLimit, !Self.mayAnnounceBytes(part) else {
                throw .tooLong(line: line, limit: Self.lineLimit)
            }
            guard try fill() else { throw .cutRow(line: line) }
            let end = buffer[...].lineEnd
            part = part.suffix(6) + buffer[..<(end ?? buffer.count)]
            skipped += part.count
            start = end.map { $0 + 1 } ?? buffer.count
            if end != nil, !Self.mayAnnounceBytes(part) { return }
        }
    }

    /// Reads the next block; `false` at the end of the stream.
    private mutating func fill() throws(FrameError) -> Bool {
        guard !isAtEnd else { return false }
        buffer = try rethrowing(Self.block(of: descriptor)) { (error: Errno) in
            FrameError.unreadable("\(error)")
        }
        start = 0
        isAtEnd = buffer.isEmpty
        return !isAtEnd
    }

    private static func block(of descriptor: Int32) throws(Errno) -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: blockBytes) { room, count throws(Errno) in
            count = try unsafe SystemCalls.read(
                descriptor, into: UnsafeMutableRawBufferPointer(room))
        }
    }
}
