import Notation
import System

package struct StringsError: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let reason: String

    package var description: String { "line \(line): \(reason)" }
}

/// A file of words by key: JSON, flat or nested, or Apple's format `"key" = "words";`.
package enum StringsFile {
    package static let bytesLimit = 1 << 20

    /// Reads either format, chosen by the first character that is not blank.
    package static func read(_ bytes: [UInt8]) throws(StringsError) -> [String: String] {
        let text = try decoded(bytes)
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        guard first == "{" else {
            var lines = StringsLines(text)
            return try lines.read()
        }
        let limits = JSONLimits(bytes: bytesLimit * 2, depth: 16, values: 50_000)
        let root = try rethrowing(JSONParser.document(Array(text.utf8).span, limits: limits).root) {
            (error: JSONError) in
            StringsError(line: 1, reason: "\(error)")
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

    /// Decodes UTF-8, or UTF-16 with a byte order mark, which older tools write.
    private static func decoded(_ bytes: [UInt8]) throws(StringsError) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return String(decoding: bytes.dropFirst(3), as: UTF8.self)
        }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw StringsError(line: 1, reason: "the text is neither UTF-8 nor UTF-16")
            }
            return text
        }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(decoding: units, as: UTF16.self)
    }
}

/// Reads `"key" = "words";` with both kinds of comments in between.
private struct StringsLines {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func read() throws(StringsError) -> [String: String] {
        var words: [String: String] = [:]
        try skipBlanks()
        while index < scalars.count {
            let key = try word("a key")
            try expect("=")
            words[key] = try word("the texts of \(key)")
            try expect(";")
        }
        return words
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func take() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        index += 1
        if scalar == "\n" { line += 1 }
        return scalar
    }

    private func failure(_ reason: String) -> StringsError {
        StringsError(line: line, reason: reason)
    }

    private mutating func expect(_ mark: Unicode.Scalar) throws(StringsError) {
        guard next == mark else { throw failure("'\(mark)' is missing") }
        _ = take()
        try skipBlanks()
    }

    private mutating func skipBlanks() throws(StringsError) {
        while let scalar = next {
            if scalar.properties.isWhitespace {
                _ = take()
            } else if scalar == "/", index + 1 < scalars.count, scalars[index + 1] == "/" {
                while let scalar = next, scalar != "\n" { _ = take() }
            } else if scalar == "/", index + 1 < scalars.count, scalars[index + 1] == "*" {
                let begin = line
                index += 2
                while next != nil, !(next == "*" && follows("/")) { _ = take() }
                guard next != nil else {
                    throw StringsError(line: begin, reason: "a comment is not closed")
                }
                index += 2
            } else {
                return
            }
        }
    }

    /// Returns whether the scalar after `next` equals `scalar`.
    private func follows(_ scalar: Unicode.Scalar) -> Bool {
        index + 1 < scalars.count && scalars[index + 1] == scalar
    }

    /// Reads a word in quotes or a bare word. Errors name it as `what`.
    private mutating func word(_ what: String) throws(StringsError) -> String {
        var text = String.UnicodeScalarView()
        if next == "\"" {
            let begin = line
            _ = take()
            while let scalar = take(), scalar != "\"" {
                text.append(scalar == "\\" ? try escape() : scalar)
            }
            guard index > 0, scalars[index - 1] == "\"", !text.isEmpty || index > 1 else {
                throw StringsError(line: begin, reason: "a quotation mark is missing")
            }
            if index == scalars.count, scalars.last != "\"" {
                throw StringsError(line: begin, reason: "a quotation mark is missing")
            }
        } else {
            while let scalar = next, Self.isBare(scalar) {
                text.append(scalar)
                _ = take()
            }
            guard !text.isEmpty else { throw failure("\(what) is missing") }
        }
        try skipBlanks()
        return String(text)
    }

    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || [".", "_", "-", "$"].contains(scalar)
    }

    private mutating func escape() throws(StringsError) -> Unicode.Scalar {
        guard let scalar = take() else { throw failure("an escape is incomplete") }
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "U", "u":
            var value: UInt32 = 0
            var count = 0
            while count < 4, let digit = next.flatMap({ Character($0).hexDigitValue }) {
                value = value << 4 | UInt32(digit)
                count += 1
                _ = take()
            }
            guard count == 4, let result = Unicode.Scalar(value) else {
                throw failure("\\U needs four hexadecimal digits of a character")
            }
            return result
        default: return scalar
        }
    }
}
