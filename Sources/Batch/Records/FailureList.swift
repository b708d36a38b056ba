import Engine
import Notation
import Transport

/// The items of a manifest whose own picture is not shown, to be looked at or fed again.
package struct FailureList: Sendable {
    package struct Entry: Sendable, Hashable {
        package let index: Int
        package let id: String
        package let source: String
        package let errorClass: String
        package let isRetryable: Bool
        package let message: String
        package let label: String?
    }

    package private(set) var entries: [Entry] = []

    /// Reads the manifest in `folder`; `errorClass` and `host` narrow the list.
    package init(folder: FilePath, errorClass: ErrorClass?, host: String?) throws(ManifestError) {
        var reader = try ManifestReader(folder: folder)
        while let record = try reader.next() {
            guard let entry = Entry(record) else { continue }
            guard errorClass == nil || entry.errorClass == errorClass?.rawValue else { continue }
            guard host == nil || SourceHost.of(entry.source) == host?.lowercased() else {
                continue
            }
            entries.append(entry)
        }
    }

    /// The list as CSV with the columns that `--list` reads: feed it again as it is.
    package var csv: String {
        var text = "source,id,label,error_class\r\n"
        for entry in entries {
            let cells = [entry.source, entry.id, entry.label ?? "", entry.errorClass]
            text += cells.map(Self.cell).joined(separator: ",") + "\r\n"
        }
        return text
    }

    private static func cell(_ text: String) -> String {
        let isPlain = !text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

extension FailureList.Entry {
    fileprivate init?(_ record: JSON) {
        guard record["type"]?.stringValue == "item", let error = record["error"],
            let id = record["id"]?.stringValue, let source = record["source"]?.stringValue
        else { return nil }
        self.init(
            index: record["index"]?.intValue ?? 0, id: id, source: SourceMask().shown(source),
            errorClass: error["class"]?.stringValue ?? "",
            isRetryable: error["retryable"]?.boolValue ?? false,
            message: error["message"]?.stringValue ?? "",
            label: record[path: ["accessibility", "label"]]?.stringValue)
    }

    /// The entry as one JSON object.
    package func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("index", index)
            json.member("id", id)
            json.member("source", source)
            json.member("class", errorClass)
            json.member("retryable", isRetryable)
            json.member("message", message)
            if let label { json.member("label", label) }
        }
    }
}
