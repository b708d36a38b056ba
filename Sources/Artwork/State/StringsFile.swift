import Notation
import System

package struct StringsError: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let reason: String

    package var description: String { "line \(line): \(reason)" }
}

/// A file of words by key: JSON, flat or nested.
package enum StringsFile {
    package static let bytesLimit = 1 << 20

    package static func read(_ bytes: [UInt8]) throws(StringsError) -> [String: String] {
        let limits = JSONLimits(bytes: bytesLimit * 2, depth: 16, values: 50_000)
        let root = try rethrowing(JSONParser.document(bytes.span, limits: limits).root) {
            (error: JSONError) in
            StringsError(line: error.line, reason: "\(error.reason)")
        }
        guard case .object = root else {
            throw StringsError(line: 1, reason: "the texts are not a JSON object")
        }
        var words: [String: String] = [:]
        flatten(root, path: "", into: &words)
        return words
    }

    private static func flatten(_ value: JSON, path: String, into words: inout [String: String]) {
        if let text = value.stringValue {
            words[path] = text
        } else if case .object(let members) = value {
            for member in members {
                let path = path.isEmpty ? member.name : "\(path).\(member.name)"
                flatten(member.value, path: path, into: &words)
            }
        }
    }
}
