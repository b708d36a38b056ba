import Digest
import Notation
import Transport

/// Compares the files of an output folder with what its manifest promises.
package struct Verification: Sendable {
    /// A file that is not what the manifest says.
    package struct Mismatch: Sendable, Hashable {
        package enum Reason: String, Sendable {
            case missing
            case size
            case content
        }

        package let path: String
        package let id: String
        package let reason: Reason
        package let detail: String
    }

    package private(set) var items = 0
    package private(set) var files = 0
    package private(set) var mismatches: [Mismatch] = []
    /// Files in the folder that the manifest does not name, in byte order.
    package private(set) var orphans: [String] = []
    /// The manifest ends with the summary of a finished run.
    package private(set) var isComplete = false

    /// Reads the manifest in `folder` and hashes every file it names once.
    package init(folder: FilePath) throws(ManifestError) {
        var reader = try ManifestReader(folder: folder)
        var named: Set<String> = []
        while let record = try reader.next() {
            switch record["type"]?.stringValue {
            case "item":
                items += 1
                for output in record["outputs"]?.elements ?? [] {
                    check(output, id: record["id"]?.stringValue ?? "", in: folder)
                    if let path = output["path"]?.stringValue { named.insert(path) }
                }
            case "summary": isComplete = true
            default: break
            }
        }
        orphans = Self.files(in: folder).filter { !named.contains($0) }
    }

    /// Every file in the folder that is no record of ours.
    private static func files(in folder: FilePath) -> [String] {
        let records = [Manifest.name, RunRecorder.name, ReportPage.name]
        var files: [String] = []
        do throws(IntakeError) {
            var walk = try FolderWalk(folder, leavingOut: nil, isPicture: { _ in true })
            while let path = walk.next() {
                let text = path.description
                if !records.contains(text) { files.append(text) }
            }
        } catch {
            // What cannot be listed cannot be told from what belongs there.
            return []
        }
        return files
    }

    /// Everything is as promised.
    package var isWhole: Bool { mismatches.isEmpty && isComplete }

    private mutating func check(_ output: JSON, id: String, in folder: FilePath) {
        files += 1
        guard let text = output["path"]?.stringValue, let path = RelativePath(text) else {
            report(output["path"]?.stringValue ?? "", id, .missing, "the path leads elsewhere")
            return
        }
        let expected = output["bytes"]?.intValue ?? -1
        do throws(IntakeError) {
            let file = try OpenFile(folder.appending(FilePath(path.text)))
            guard file.size == expected else {
                report(text, id, .size, "\(file.size) bytes instead of \(expected)")
                return
            }
            let bytes = try file.readAll(limit: expected)
            guard SHA256.hash(bytes.span).hex == output["sha256"]?.stringValue else {
                report(text, id, .content, "the SHA-256 differs")
                return
            }
        } catch {
            report(text, id, .missing, "\(error)")
        }
    }

    private mutating func report(
        _ path: String, _ id: String, _ reason: Mismatch.Reason, _ detail: String
    ) {
        mismatches.append(Mismatch(path: path, id: id, reason: reason, detail: detail))
    }
}
