import Digest
import Notation

/// The facts of an item's line in a manifest that decide whether the item changed: 40 bytes per
/// item.
struct ItemDigest: Sendable {
    /// The kind of picture that an item shows.
    enum State: UInt8, Sendable {
        case fresh
        /// An earlier picture, since the source fails now.
        case stale
        /// A placeholder, or nothing.
        case missing

        init(status: some StringProtocol, isStale: Bool) {
            self = status != "ok" ? .missing : isStale ? .stale : .fresh
        }
    }

    let id: UInt64
    /// A digest of the line without the members that state the position of the item in its list.
    private let contents: (UInt64, UInt64)
    let state: State
    /// The offset of the line in its file.
    var offset = 0

    /// Reads a line without its line end. A line in the tool's own form is scanned, not parsed.
    ///
    /// - Returns: nil for a record that is not an item.
    static func of(_ line: ArraySlice<UInt8>) throws(JSONError) -> ItemDigest? {
        if let item = ItemDigest(written: line) { return item }
        return ItemDigest(try JSONParser.parse(line.span))
    }

    /// Reads a line that this tool wrote; nil for a record that is not an item.
    init?(line: ArraySlice<UInt8>) {
        guard let item = try? Self.of(line) else { return nil }
        self = item
    }

    init?(_ record: JSON) {
        guard record["type"]?.stringValue == "item" else { return nil }
        id = Self.hash(Array((record["id"]?.stringValue ?? "").utf8)[...])
        state = State(
            status: record["status"]?.stringValue ?? "",
            isStale: record["stale"]?.boolValue ?? false)
        var json = JSONWriter()
        json.object { json in
            for member in record.members ?? [] where !Self.positionNames.contains(member.name) {
                json.member(member.name, member.value)
            }
        }
        contents = SHA256.hash(json.bytes.span).prefixWords
    }

    /// The members that state the position of an item in its list.
    static let positionNames = ["type", "index", "row", "line"]

    private static let opening = Array(#"{"type":"item","index":"#.utf8)
    private static let row = Array(#","row":"#.utf8)
    private static let idName = Array(#","id":""#.utf8)
    private static let line = Array(#","line":"#.utf8)
    private static let status = Array(#""status":""#.utf8)
    private static let stale = Array(#","stale":true"#.utf8)
    private static let quote = UInt8(ascii: "\"")

    /// Finds the facts in a line of the tool's own form; nil for any other line, and for an id with
    /// escapes. Quotes inside strings are escaped, so a name between unescaped quotes is the name
    /// of a member.
    private init?(written line: ArraySlice<UInt8>) {
        guard line.starts(with: Self.opening) else { return nil }
        var index = Self.digitsEnd(in: line, from: line.startIndex + Self.opening.count)
        if line[index...].starts(with: Self.row) {
            index = Self.digitsEnd(in: line, from: index + Self.row.count)
        }
        guard line[index...].starts(with: Self.idName) else { return nil }
        let start = index + Self.idName.count
        guard let end = line[start...].firstIndex(of: Self.quote),
            !line[start..<end].contains(UInt8(ascii: "\\")),
            let statusStart = Self.status(in: line, from: end + 1)
        else { return nil }
        let valueStart = statusStart + Self.status.count
        guard let valueEnd = line[valueStart...].firstIndex(of: Self.quote) else { return nil }
        id = Self.hash(line[start..<end])
        state = State(
            status: String(decoding: line[valueStart..<valueEnd], as: UTF8.self),
            isStale: line[(valueEnd + 1)...].starts(with: Self.stale))
        var hash = SHA256()
        let row = line[start..<Self.lineStart(in: line, before: statusStart)]
        hash.update(row.span)
        let rest = line[statusStart...]
        hash.update(rest.span)
        contents = hash.finish().prefixWords
    }

    func hasContents(of other: ItemDigest) -> Bool { contents == other.contents }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        SHA256.hash(bytes.span).prefixWords.0
    }

    private static func digitsEnd(in line: ArraySlice<UInt8>, from start: Int) -> Int {
        line[start...].firstIndex { !isDigit($0) } ?? line.endIndex
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func status(in line: ArraySlice<UInt8>, from start: Int) -> Int? {
        var index = start
        while let next = line[index...].firstIndex(of: quote) {
            if line[next...].starts(with: status) { return next }
            index = next + 1
        }
        return nil
    }

    /// Returns the offset of the member `line` in front of the member at `status`; `status` if
    /// there is no such member.
    private static func lineStart(in line: ArraySlice<UInt8>, before status: Int) -> Int {
        let end = status - 1
        let digits = line[..<end].lastIndex { !isDigit($0) } ?? line.startIndex
        let start = digits - Self.line.count + 1
        guard digits < end - 1, start > line.startIndex,
            line[start...digits].elementsEqual(Self.line)
        else { return status }
        return start
    }
}
