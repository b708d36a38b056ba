import Engine
import Notation
import Render
import Transport

/// A failure or a lint warning of one item, with its place in the inputs.
package struct Finding: Sendable {
    package enum Level: String, Sendable {
        case warning, error
    }

    /// The error class or the kind of lint.
    package let rule: String
    package let level: Level
    package let id: String
    package let source: String
    package fileprivate(set) var text: String
    /// The list that names the item. For an item of an argument or a folder, its source file; nil
    /// for a URL.
    package let file: FilePath?
    /// The line in the list.
    package let line: Int?
}

/// The findings of a finished run, in input order.
package struct Findings: Sendable {
    /// The most findings in `kept`.
    private static let limit = 25_000

    package private(set) var kept: [Finding] = []
    /// The number of findings beyond the limit, which are not in `kept`.
    package private(set) var surplus = 0

    /// Reads the manifest in `folder`.
    ///
    /// - Parameter plan: The plan of the run, which knows the lines of the lists.
    package init(in folder: FilePath, of plan: BatchPlan) throws {
        var reader = try ManifestReader(folder: folder)
        var failed: [Int: FailureReasons.Item] = [:]
        while let record = try reader.nextItem() {
            guard record.failure != nil || !record.lint.isEmpty else { continue }
            let place = Place(plan.item(at: record.index))
            if let failure = record.failure {
                let level: Finding.Level = record.status == .failed ? .error : .warning
                if add(failure.errorClass.rawValue, level, failure.message, record, place) {
                    failed[kept.count - 1] = FailureReasons.Item(
                        index: record.index, source: record.source,
                        errorClass: failure.errorClass.rawValue)
                }
            }
            for lint in record.lint {
                _ = add(lint.kind.rawValue, .warning, lint.text, record, place)
            }
        }
        let reasons = FailureReasons(of: Array(failed.values), in: folder)
        for (place, item) in failed {
            if let reason = reasons[item.index] { kept[place].text = reason }
        }
    }

    /// Adds a finding; returns false if the limit is reached.
    private mutating func add(
        _ rule: String, _ level: Finding.Level, _ text: String, _ record: ItemRecord,
        _ place: Place
    ) -> Bool {
        guard kept.count < Self.limit else {
            surplus += 1
            return false
        }
        kept.append(
            Finding(
                rule: rule, level: level, id: record.id, source: record.source, text: text,
                file: place.file, line: place.line))
        return true
    }

    private struct Place {
        var file: FilePath?
        var line: Int?

        init(_ item: BatchItem) {
            if let list = item.list {
                if list != "-" {
                    (file, line) = (FilePath(list), item.line)
                }
            } else if case .file(let path)? = item.knownReference(remoteOnly: false)?.kind,
                SourceMask().shown(item.source) == item.source
            {
                // A path that may hide a password is not shown.
                file = path
            }
        }
    }
}

extension Finding {
    package var sentence: String {
        let origin = source.isEmpty ? "" : " (\(SourceMask().shown(source)))"
        return PrintableText.escaped("\(id): \(text)\(origin)", limit: 1_000)
    }
}
