import Foundation

/// The verdict of an independent parser, expat, on a document.
package enum XMLVerdict: Character {
    case svg = "S"
    case otherRoot = "X"
    case malformed = "-"

    package static func of(_ documents: [[UInt8]]) throws -> [XMLVerdict] {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Checkers/wellformed.py").path
        var input: [UInt8] = []
        for document in documents {
            for shift in [24, 16, 8, 0] { input.append(UInt8(document.count >> shift & 255)) }
            input += document
        }
        let run = try Tool.run("/usr/bin/python3", [script], input: input)
        let verdicts = run.output.compactMap(XMLVerdict.init)
        guard run.status == 0, verdicts.count == documents.count else {
            throw XMLVerdictError(description: "\(verdicts.count) verdicts. \(run.errors)")
        }
        return verdicts
    }
}

/// The checker did not answer for each document.
package struct XMLVerdictError: Error, CustomStringConvertible {
    package let description: String
}
