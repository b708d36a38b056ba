import Glibc
import Notation
import Synchronization
import System

/// An open list of a known format, whose rows can be read in order, and later again one by one.
///
/// Lists that are compressed, in UTF-16, or not a regular file are first copied to a
/// scratch file. The list stays open, so it can still be read after another file takes its name.
package final class ListFile: Sendable {
    fileprivate static let standardInput = "standard input"

    /// The path as the user gave it.
    package let name: String
    /// The folder against which relative paths in the list are resolved.
    package let folder: FilePath
    package let format: ListFormat
    let dialect: ListDialect
    let separator: UInt8
    let file: SharedDescriptor
    /// The metadata of the file when it was opened; nil for a copy, which no other process can
    /// change.
    let watch: ListWatch?
    let columns: [ListHeader.Column]
    /// Whether cells that look like formulas start with an apostrophe that is not part of their
    /// text (`SpreadsheetCell`).
    let isGuarded: Bool
    /// The position of the first row, after the byte-order mark and the header.
    let first: (offset: Int64, line: Int)
    /// The window after the row that `row(at:line:)` returned last. It is kept because callers
    /// usually request the following row next.
    private let nextWindow = Mutex<ListWindow?>(nil)
    /// The quote fault that `row(at:line:)` found last. It saves scanning each of the following
    /// rows up to the same text.
    private let quoteFault = Mutex<QuoteFault?>(nil)

    /// Opens the list at `path`. A copy is made in the folder `scratch`, which must exist. If
    /// `format` is nil, it is detected from the first bytes.
    package convenience init(
        _ path: FilePath, format: ListFormat?, _ dialect: ListDialect = ListDialect(),
        scratch: FilePath
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
            file, facts, name: name, folder: hasFolder ? path.folder : FilePath("."),
            format: format, dialect, scratch: scratch)
    }

    private convenience init(
        _ file: SharedDescriptor, _ facts: FileFacts, name: String, folder: FilePath,
        format: ListFormat?, _ dialect: ListDialect, scratch: FilePath
    ) throws(ListError) {
        let isCopied = try Self.needsCopy(file, facts.kind, name)
        let copy = try isCopied ? ListSpool.copy(file.number, named: name, to: scratch) : file
        try self.init(
            copy, watch: isCopied ? nil : ListWatch(facts: facts), name: name, folder: folder,
            format: format, dialect)
    }

    package convenience init(
        standardInput dialect: ListDialect, scratch: FilePath, descriptor: Int32 = STDIN_FILENO
    ) throws(ListError) {
        let copy = try ListSpool.copy(descriptor, named: Self.standardInput, to: scratch)
        try self.init(
            copy, watch: nil, name: Self.standardInput, folder: FilePath("."), format: nil, dialect)
    }

    private init(
        _ file: SharedDescriptor, watch: ListWatch?, name: String, folder: FilePath,
        format: ListFormat?, _ dialect: ListDialect
    ) throws(ListError) {
        self.file = file
        self.dialect = dialect
        self.watch = watch
        self.name = name
        // "./logo.png" and "logo.png" are the same path; the short form is easier to read.
        self.folder = folder == FilePath(".") ? FilePath("") : folder
        var window = ListWindow(
            file, named: name, at: 0, line: 1, block: ListWindow.blockBytes, watch: watch)
        _ = try window.more()
        if let kind = ListMagic.foreign(window.bytes) {
            throw ListError(file: name, .malformed("this is \(kind), not a list"))
        }
        if window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { window.skip(3) }
        if let encoding = UTF16Reader.likelyName(window.bytes) {
            throw ListError(
                file: name, .encoding("UTF-16 without a byte-order mark", iconv: encoding))
        }
        let start = Array(window.bytes[window.start...])
        self.format = ListFormat(start, named: format, dialect)
        switch self.format {
        case .csv:
            separator =
                ListHeader.skipSeparatorLine(&window)
                ?? ListSeparator.likely(window.bytes[window.start...], dialect)
            columns = try ListHeader.read(&window, separator: separator, dialect, name)
        case .txt where start.contains(0):
            throw Self.hasNUL(name, line: 1 + start.prefix { $0 != 0 }.lineFeeds)
        case .txt, .json, .ndjson:
            separator = 0
            columns = []
        }
        isGuarded = columns.contains { $0.name == SpreadsheetCell.column }
        first = (window.offset, window.line)
    }

    /// Returns a reader of all rows; several readers may be in use at once.
    package func reader() -> ListReader {
        ListReader(self)
    }

    /// Returns the row that a reader found at `offset`, on `line`.
    package func row(at offset: Int64, line: Int) throws(ListError) -> ListRow {
        var reader = ListReader(self, again: try window(at: offset, line: line))
        guard let row = try reader.next() else {
            throw ListError(file: name, line: line, .changed)
        }
        nextWindow.withLock { $0 = reader.window }
        if let fault = reader.window.quoteFault { quoteFault.withLock { $0 = fault } }
        return row
    }

    /// Returns a window at this position: the window after the last row if it contains the
    /// position, otherwise a new one.
    private func window(at offset: Int64, line: Int) throws(ListError) -> ListWindow {
        if var window = nextWindow.withLock({ $0.take() }), window.move(to: offset, line: line) {
            try window.check()
            return window
        }
        var watch = watch
        watch?.comparesChangeTime = false
        var window = ListWindow(
            file, named: name, at: offset, line: line, block: ListWindow.rowBytes, watch: watch)
        window.quoteFault = quoteFault.withLock { $0 }
        return window
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

    /// Returns whether the list is compressed, not UTF-8, or not a regular file.
    private static func needsCopy(
        _ file: SharedDescriptor, _ kind: FileFacts.Kind, _ name: String
    ) throws(ListError) -> Bool {
        guard kind == .file else { return true }
        var window = ListWindow(file, named: name, at: 0, line: 1, block: 16)
        _ = try window.more()
        let isGzip = window.bytes.starts(with: [0x1F, 0x8B])
        return isGzip || UTF16Reader(window.bytes.span) != nil
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
        /// The copy for reading the list twice could not be written.
        case scratch(Errno)

        init(reading error: Errno) { self = .unreadable("\(error)") }
    }

    package var file: String
    package var line: Int?
    package var reason: Reason

    package init(file: String, line: Int? = nil, _ reason: Reason) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// Runs system calls on a list and names the list if they fail.
    static func wrap<Value>(
        _ file: String, _ reason: (Errno) -> Reason, _ body: () throws(Errno) -> Value
    ) throws(ListError) -> Value {
        try rethrowing(as: { ListError(file: file, reason($0)) }, body)
    }

    package var exitCode: Int32 {
        switch reason {
        case .missing, .unreadable, .changed: 66
        case .malformed, .encoding, .tooLarge: 65
        case .scratch, .exhausted: 74
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
        case .scratch(let cause):
            "the list \(subject) cannot be stored for a second pass: "
                + "\(cause)"
        }
    }
}
