import Engine
import Flags
import Notation

/// `emblem help errors`: the class, cause and remedy of every failure.
enum ErrorClassTable {
    /// Returns the table, or a JSON array with `--json`.
    static func text(_ help: HelpText, _ words: [String]) throws(UsageError) -> [UInt8] {
        if words == ["--json"] { return json }
        if let word = words.first {
            throw .unknown(
                "option", word, among: ["--json"],
                fallback: "'emblem help errors' takes --json only.")
        }
        let rows = ErrorClass.ofRecords.map { errorClass in
            (
                errorClass.rawValue + (errorClass.isRetryable ? " *" : ""),
                "\(errorClass.message) \(errorClass.remedy)"
            )
        }
        return Array((help.topic(rows) + "\n* A later run may succeed.\n").utf8)
    }

    private static var json: [UInt8] {
        var json = JSONWriter(.pretty)
        json.beginArray()
        for errorClass in ErrorClass.ofRecords {
            json.object { json in
                json.member("class", errorClass.rawValue)
                json.member("cause", errorClass.message)
                json.member("remedy", errorClass.remedy)
                json.member("retryable", errorClass.isRetryable)
            }
        }
        json.endArray()
        json.endLine()
        return json.take()
    }
}
