import Glibc
import Notation
import Synchronization
import System

/// A list of a known format, whose rows can be read in order, and later again one by one.
///
/// The text is in memory, so a row can still be read after the file has changed.
package final class ListFile: Sendable {
    fileprivate static let standardInput = "standard input"

    /// The path as the user gave it.
    package let name: String
    /// The folder against which relative paths in the list are resolved.
    package let folder: FilePath
    package let format: ListFormat
    let dialect: ListDialect
    let separator: UInt8
    private let bytes: [UInt8]
    let columns: [ListHeader.Column]
    /// Whether cells that look like formulas start with an apostrophe that is not part of their
    /// text (`SpreadsheetCell`).
    let isGuarded: Bool
    /// The position of the first row, after the byte-order mark and the header.
    private let first: (position: Int, line: Int)
    /// The quote fault that `row(at:line:)` found last. It saves scanning each of the following
    /// rows up to the same text.
    private let quoteFault = Mutex<QuoteFault?>(nil)

    /// Reads the list at `path`. If `format` is nil, it is detected from the first bytes.
    package convenience init(
        _ path: FilePath, format: ListFormat?, _ dialect: ListDialect = ListDialect()
    ) throws(ListError) {
        let name = path.description
        let file: SharedDescriptor
        let facts: FileFacts
        do throws(Errno) {
            file = SharedDescriptor(try SystemCalls.open(path, O_RDONLY | O_NOCTTY))
            facts = try SystemCalls.facts(of: file.number)
        } catch  where error.code == ENOENT || error.code == ENOTDIR {
            throw ListError(file: name, .missing)
        } catch  where [EMFILE, ENFILE, ENOMEM].contains(error.code) {
            throw ListError(file: name, .exhausted(error))
        } catch {
            throw ListError(file: name, .unreadable("\(error)"))
        }
        guard facts.kind != .folder else {
            throw ListError(file: name, .unreadable("it is a folder"))
        }
        // A pipe has no folder for relative paths, and neither has a path such as /dev/fd/3, even
        // if it leads to a file.
        let hasFolder = facts.kind == .file && !Self.isDescriptor(path)
        try self.init(
            ListText.read(file.number, facts, named: name), name: name,
            folder: hasFolder ? path.folder : FilePath("."), format: format, dialect)
    }

    package convenience init(
        standardInput dialect: ListDialect, descriptor: Int32 = STDIN_FILENO
    ) throws(ListError) {
        let name = Self.standardInput
        let facts: FileFacts
        do throws(Errno) {
            facts = try SystemCalls.facts(of: descriptor)
        } catch {
            throw ListError(file: name, .unreadable("\(error)"))
        }
        try self.init(
            ListText.read(descriptor, facts, named: name), name: name, folder: FilePath("."),
            format: nil, dialect)
    }

    private init(
        _ bytes: [UInt8], name: String, folder: FilePath, format: ListFormat?,
        _ dialect: ListDialect
    ) throws(ListError) {
        self.bytes = bytes
        self.dialect = dialect
        self.name = name
        // "./logo.png" and "logo.png" are the same path; the short form is easier to read.
        self.folder = folder == FilePath(".") ? FilePath("") : folder
        let sample = Array(bytes.prefix(65_536))
        if let kind = ListFormat.otherKind(sample) {
            throw ListError(file: name, .malformed("this is \(kind), not a list"))
        }
        if let encoding = ListText.likelyUTF16(sample) {
            throw ListError(
                file: name, .encoding("UTF-16 without a byte-order mark", iconv: encoding))
        }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var scanner = ListScanner(bytes, named: name, at: start, line: 1)
        self.format = ListFormat(Array(sample.dropFirst(start)), named: format, dialect)
        switch self.format {
        case .csv:
            separator =
                ListHeader.skipSeparatorLine(&scanner)
                ?? ListFormat.likelySeparator(sample[scanner.position...], dialect)
            columns = try ListHeader.read(&scanner, separator: separator, dialect, name)
        case .txt:
            if let index = bytes.firstIndex(of: 0) {
                throw Self.hasNUL(name, line: 1 + bytes[..<index].lineFeeds)
            }
            separator = 0
            columns = []
        case .json, .ndjson:
            separator = 0
            columns = []
        }
        isGuarded = columns.contains { $0.name == SpreadsheetCell.column }
        first = (scanner.position, scanner.line)
    }

    /// Returns a reader of all rows; several readers may be in use at once.
    package func reader() -> ListReader {
        ListReader(
            self, ListScanner(bytes, named: name, at: first.position, line: first.line),
            isFirst: true)
    }

    /// Returns the row that a reader found at `offset`, on `line`.
    package func row(at offset: Int, line: Int) throws(ListError) -> ListRow {
        var scanner = ListScanner(bytes, named: name, at: offset, line: line, atElement: true)
        scanner.quoteFault = quoteFault.withLock { $0 }
        var reader = ListReader(self, scanner, isFirst: false)
        guard let row = try reader.next() else {
            preconditionFailure("A row is read again from a position that no reader returned.")
        }
        if let fault = reader.scanner.quoteFault { quoteFault.withLock { $0 = fault } }
        return row
    }

    static func hasNUL(_ name: String, line: Int) -> ListError {
        ListError(
            file: name, line: line,
            .malformed(
                "it contains NUL bytes; write one source per line, for example with "
                    + "\"tr '\\0' '\\n'\""))
    }

    static func notUTF8(_ name: String, line: Int) -> ListError {
        ListError(file: name, line: line, .encoding("not UTF-8", iconv: "CP1252"))
    }

    private static func isDescriptor(_ path: FilePath) -> Bool {
        ["/dev/fd/", "/dev/stdin", "/proc/self/fd/"].contains {
            path.bytes.starts(with: $0.utf8)
        }
    }
}

/// The reason why a list cannot be read, with its file and line.
package struct ListError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case missing
        case unreadable(String)
        /// The system has no file descriptors or memory left to open a file.
        case exhausted(Errno)
        case changed
        /// The text does not match the format; the message names what was found.
        case malformed(String)
        /// The text is in an encoding that is not read; `iconv` is its probable name.
        case encoding(String, iconv: String)
        /// The decompressed list is larger than the limit, in bytes.
        case tooLarge(limit: Int64)
    }

    package var file: String
    package var line: Int?
    package var reason: Reason

    package init(file: String, line: Int? = nil, _ reason: Reason) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    package var exitCode: Int32 {
        switch reason {
        case .missing, .unreadable, .changed: 66
        case .malformed, .encoding, .tooLarge: 65
        case .exhausted: 74
        }
    }
}

extension ListError: CustomStringConvertible {
    package var description: String {
        let name = SourceMask().shown(file)
        let subject = line.map { "\(name), line \($0)" } ?? name
        return switch reason {
        case .missing: "the list \(subject) does not exist"
        case .unreadable(let cause): "the list \(subject) cannot be read: \(cause)"
        case .exhausted(let cause):
            "the list \(subject) cannot be opened: \(cause); raise `ulimit -n` or use fewer --jobs"
        case .changed:
            "the list \(subject) changed while it was read; run again when it is complete"
        case .malformed(let what): "the list \(subject): \(what)"
        case .encoding(let what, let encoding):
            "the list \(subject): it is \(what); convert it with 'iconv -f \(encoding) -t UTF-8"
                + (file == ListFile.standardInput || name != file
                    ? "'" : " \(ShellWord.quoted(file)) > NEW'")
        case .tooLarge(let limit): "the list \(subject) is longer than \(limit) bytes"
        }
    }
}
