import Notation
import System

/// Copies the rows of a Parquet file as JSON lines to a scratch file, which a list can read again
/// at any row.
struct ParquetList {
    private static let pieceBytes = 65_536
    /// The most rows for each byte of the file. Pages can state billions of equal rows in a few
    /// bytes; no real list does.
    private static let rowsPerByteLimit = 1_000
    /// The size that the rows may always have as text, and the most text for each byte of the file.
    private static let usualTextLimit: Int64 = 1 << 30
    private static let textPerByteLimit: Int64 = 1_000
    /// A row above this size is refused; no list may have one of more than 1 MB.
    private static let rowBytesLimit = 8 << 20

    private let scratch: ScratchFile
    private let sizeLimit: Int64
    private var size: Int64 = 0
    private var text: [UInt8] = []

    /// Returns the rows of a file; nil if it is not a Parquet file.
    static func rows(
        of file: SharedDescriptor, named name: String, _ dialect: ListDialect,
        to folder: FilePath
    ) throws(ListError) -> SharedDescriptor? {
        let failure = { (fault: ParquetFault) in ListError(file: name, fault.reason) }
        return try rethrowing(as: failure) { () throws(ParquetFault) in
            let parquet = try ParquetFile(file)
            guard parquet.size >= 4,
                try parquet.bytes(at: 0, count: 4) == ParquetFile.magic
            else { return nil }
            let scratch = try rethrowing(as: ParquetFault.scratch) { () throws(Errno) in
                try ScratchFile(in: folder)
            }
            var list = ParquetList(scratch: scratch, fileBytes: parquet.size)
            try list.copy(parquet, dialect)
            guard try parquet.isUnchanged else { throw ParquetFault(.changed) }
            return scratch.shared
        }
    }

    private init(scratch: ScratchFile, fileBytes: Int) {
        self.scratch = scratch
        let fileBytes = min(Int64(fileBytes), ListSpool.bytesLimit)
        sizeLimit = min(
            ListSpool.bytesLimit, max(Self.usualTextLimit, fileBytes * Self.textPerByteLimit))
    }

    private mutating func copy(
        _ file: ParquetFile, _ dialect: ListDialect
    ) throws(ParquetFault) {
        let metadata = try file.metadata()
        try Self.check(metadata, dialect)
        // Bytes that are not marked as text may be anything; only a column with a meaning is read.
        let used = metadata.columns.indices.filter { index in
            let column = metadata.columns[index]
            return column.type != .bytes || column.isText || dialect.meaning(of: column.name) != nil
        }
        let columns = used.map { metadata.columns[$0] }
        let names = columns.map { column in
            var json = JSONWriter()
            json.write(column.name)
            return json.take() + [UInt8(ascii: ":")]
        }
        let rowCount = metadata.groups.reduce(0) { $0 + Double($1.rowCount) }
        // Chunks do not overlap, so each byte of the file is read once.
        var chunkBytes = 0
        for chunk in metadata.groups.flatMap(\.chunks) {
            let (sum, overflows) = chunkBytes.addingReportingOverflow(chunk.byteCount)
            guard !overflows, sum <= file.size else { throw .damagedMetadata }
            chunkBytes = sum
        }
        guard rowCount <= Double(file.size) * Double(Self.rowsPerByteLimit) else {
            throw ParquetFault("it states more rows than a file of this size can have")
        }
        let memory = ParquetMemory()
        for group in metadata.groups where group.rowCount > 0 {
            var pages: [ParquetPages] = []
            for (index, column) in zip(used, columns) {
                pages.append(try ParquetPages(column, group.chunks[index], in: file, memory))
            }
            for _ in 0..<group.rowCount {
                let start = text.count
                text.append(UInt8(ascii: "{"))
                for index in pages.indices {
                    guard let value = try pages[index].next() else { continue }
                    if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
                    text += names[index]
                    value.write(to: &text)
                    guard text.count - start <= Self.rowBytesLimit else {
                        throw ParquetFault(
                            "it has a row of more than \(Self.rowBytesLimit >> 20) MB")
                    }
                }
                text += [UInt8(ascii: "}"), 0x0A]
                if text.count >= Self.pieceBytes { try store() }
            }
            for page in pages { try page.close() }
        }
        try store()
    }

    /// Refuses files whose columns cannot be used, with the columns that they have.
    private static func check(
        _ metadata: ParquetMetadata, _ dialect: ListDialect
    ) throws(ParquetFault) {
        guard dialect.hasHeader else {
            throw ParquetFault(
                "a Parquet list names its columns; remove --no-header, and write names instead of "
                    + "positions in --columns")
        }
        let names = metadata.columns.map(\.name)
        let unreadable = metadata.unreadable.sorted { $0.key < $1.key }
        let wanted = unreadable.filter { dialect.meaning(of: $0.key) != nil }
        guard wanted.isEmpty else {
            let isOne = wanted.count == 1
            throw ParquetFault(
                "\(isOne ? "the column" : "columns cannot be read:") \(Self.kinds(wanted)); write "
                    + "\(isOne ? "it" : "them") as text")
        }
        if let missing = dialect.missing(among: names).first {
            throw ParquetFault("it has no column \"\(missing.prefix(40))\" of --columns")
        }
        let meanings = names.compactMap { dialect.meaning(of: $0) }
        guard ListHeader.nameSource(meanings) else {
            let others = unreadable.isEmpty ? "" : "; \(Self.kinds(unreadable))"
            throw ParquetFault(ListHeader.missingSource(among: names, of: "it") + others)
        }
        guard Set(meanings).count == meanings.count, Set(names).count == names.count else {
            throw ParquetFault("it has a column twice")
        }
    }

    /// Returns the first columns with their kinds, as in `"a" is nested, "b" is binary`.
    private static func kinds(_ columns: [(key: String, value: String)]) -> String {
        let shown = columns.prefix(4).map { "\"\($0.key.prefix(40))\" is \($0.value)" }
        let rest = columns.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private mutating func store() throws(ParquetFault) {
        guard Int64(text.count) <= sizeLimit - size else {
            throw ParquetFault(.tooLarge(limit: sizeLimit))
        }
        try rethrowing(as: ParquetFault.scratch) { () throws(Errno) in
            try scratch.write(text.span, at: size)
        }
        size += Int64(text.count)
        text.removeAll(keepingCapacity: true)
    }
}

extension ParquetValue {
    fileprivate func write(to text: inout [UInt8]) {
        switch self {
        case .text(let bytes): Self.quote(bytes, to: &text)
        case .integer(let value): text += String(value).utf8
        case .unsigned(let value): text += String(value).utf8
        case .number(let value): text += JSONNumber(value).text.utf8
        case .flag(let value): text += (value ? "true" : "false").utf8
        }
    }

    /// Writes a JSON string. Bytes that are not UTF-8 stay, so that the reader reports the row.
    private static func quote(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        text.append(UInt8(ascii: "\""))
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                text += "\\u00".utf8
                text += [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
