import Engine
import Notation
import Render
import Transport

/// The items of a manifest whose own picture is not shown, with all columns of their rows, for
/// review or as the input of a new run, and the warnings about pictures.
package struct FailureList: Sendable {
    package struct Entry: Sendable {
        package let record: ItemRecord
        let failure: ItemFailure

        package var errorClass: ErrorClass { failure.errorClass }
        /// The message of the manifest; for write errors the reason, if it is known.
        package var message: String {
            errorClass == .write ? reason ?? failure.message : failure.message
        }
        package var explanation: String { reason ?? failure.message }
        fileprivate var reason: String?

        /// The id that gives the item the same file name again: the id of its record, or its file
        /// name if that got a suffix because another item had the same id.
        package var id: String {
            ItemName.clean(record.id) == record.name ? record.id : record.name
        }
    }

    /// A warning about the picture of an item.
    package struct Warning: Sendable {
        package let lint: PictureLint
        package let id: String
        package let source: String
        package let row: Int?
    }

    package private(set) var entries: [Entry] = []
    package private(set) var warnings: [Warning] = []
    /// The reason why the manifest is not from one complete run, so that entries may be missing;
    /// nil for a complete run.
    package let fault: String?

    /// Reads the manifest in `folder`. With an error class, the list has only items of this class
    /// and no warnings.
    package init(folder: FilePath, errorClass: ErrorClass?) throws(ManifestError) {
        var reader = try ManifestReader(folder: folder)
        var whole = ManifestCheck(folder: folder)
        while let json = try reader.next() {
            try whole.see(json)
            guard let record = ItemRecord(json) else { continue }
            if errorClass == nil {
                warnings += record.lint.map {
                    Warning(lint: $0, id: record.id, source: record.source, row: record.row)
                }
            }
            guard let failure = record.failure,
                errorClass == nil || failure.errorClass == errorClass
            else { continue }
            entries.append(Entry(record: record, failure: failure))
        }
        fault = whole.fault
        let failed = entries.map { entry in
            FailureReasons.Item(
                index: entry.record.index, source: entry.record.source,
                errorClass: entry.errorClass.rawValue)
        }
        let reasons = FailureReasons(of: failed, in: folder)
        for index in entries.indices {
            entries[index].reason = reasons[entries[index].record.index]
        }
    }

    /// Whether the list has relative paths. They are valid only if the list is saved in the folder
    /// of the original list.
    package var hasRelativePaths: Bool {
        entries.contains { entry in
            let source = entry.record.source
            return !source.isEmpty && SourceReference.scheme(of: source) == nil
                && !FilePath(source).isAbsolute && source != "-"
        }
    }

    /// The list as CSV with the columns that `--list` reads. Cells that a spreadsheet would run as
    /// formulas are guarded; a marker column then tells `batch` to remove the guards.
    package var csv: String {
        var headers = ["source", "id", "label"]
        let own = FailureColumns(FailureColumns.csv, beside: entries)
        let rows = entries.map { own.others(of: $0) }
        for (name, _) in rows.joined() where !headers.contains(name) { headers.append(name) }
        headers += own.all
        var lines = [headers]
        for (entry, row) in zip(entries, rows) {
            var values = Dictionary(row, uniquingKeysWith: { $1 })
            values[own["row"]] = entry.record.row.map { .number(JSONNumber($0)) }
            values[own["error_class"]] = .string(entry.errorClass.rawValue)
            lines.append(headers.map { values[$0]?.cell(in: $0) ?? "" })
        }
        if lines.joined().contains(where: { SpreadsheetCell.guarded($0) != $0 }) {
            lines[0].append(SpreadsheetCell.column)
            for index in lines.indices.dropFirst() { lines[index].append("1") }
        }
        return lines.map { line in
            line.map { Self.cell(SpreadsheetCell.guarded($0)) }.joined(separator: ",") + "\r\n"
        }.joined()
    }

    /// The list as one JSON array; `[]` without failures.
    package var json: [UInt8] {
        let own = FailureColumns(FailureColumns.json, beside: entries)
        var json = JSONWriter()
        json.beginArray()
        for entry in entries { entry.write(own, into: &json) }
        json.endArray()
        json.endLine()
        return json.take()
    }

    private static func cell(_ text: String) -> String {
        let isPlain = !text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

extension FailureList.Entry {
    var columns: [(String, JSON)] {
        var columns: [(String, JSON)] = [("source", .string(record.source)), ("id", .string(id))]
        func add(_ name: String, _ text: String?) {
            if let text { columns.append((name, .string(text))) }
        }
        add("label", record.accessibility.label)
        for (column, text) in zip(ListColumn.look, record.look.all) { add(column.rawValue, text) }
        for (name, sources) in [("alternatives", record.alternatives), ("dark", record.dark)]
        where !sources.isEmpty {
            columns.append((name, .array(sources.map { .string($0) })))
        }
        for member in record.extra {
            // `extra` also has the unusable values of known columns, which belong in their own
            // columns.
            if let index = columns.firstIndex(where: { $0.0 == member.name }) {
                columns[index].1 = member.value
            } else {
                columns.append((member.name, member.value))
            }
        }
        return columns
    }

    fileprivate func write(_ own: FailureColumns, into json: inout JSONWriter) {
        json.object { json in
            json.member(own["index"], record.index)
            if let row = record.row { json.member(own["row"], row) }
            json.member(own["class"], errorClass.rawValue)
            json.member(own["retryable"], failure.isRetryable)
            json.member(own["message"], message)
            if explanation != message { json.member(own["detail"], explanation) }
            json.member(own["remedy"], errorClass.remedy)
            for (name, value) in own.others(of: self) { json.member(name, value) }
        }
    }
}

extension JSON {
    /// Formats the value as a CSV field. Each of several sources ends with a bar, because sources
    /// may contain spaces.
    fileprivate func cell(in column: String) -> String {
        switch self {
        case .string(let text): text
        case .array(let values)
        where ["alternatives", "dark"].contains(column)
            && values.allSatisfy({ $0.stringValue != nil }):
            values.compactMap(\.stringValue).map { "\($0)|" }.joined()
        default: text
        }
    }
}
