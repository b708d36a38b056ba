import Batch
import Engine
import Support
import Transport

extension FuzzTarget {
    /// Files that are read row by row, each from its own folder.
    static let lists: [FuzzTarget] = [
        FuzzTarget("list") { bytes, digest in
            inFolder(holding: bytes, as: "list", &digest) { folder, digest in
                for format in ListFormat.allCases { read(folder, format, &digest) }
            }
        },
        FuzzTarget("manifest") { bytes, digest in
            inFolder(holding: bytes, as: "manifest.ndjson", &digest) { folder, digest in
                do throws(ManifestError) {
                    digest.add(try FailureList(folder: folder, errorClass: nil).csv)
                    let found = try Verification(folder: folder)
                    digest.add("\(found.items) \(found.files) \(found.isIntact)")
                    for mismatch in found.mismatches { digest.add("\(mismatch)") }
                } catch .malformed(let line, let reason) {
                    digest.add("\(line): \(reason)")
                } catch {
                    digest.add("unreadable")
                }
            }
        },
        FuzzTarget("journal") { bytes, digest in
            // Checksums are corrected; otherwise the code after the check would never be reached.
            let sound = JournalAssembly.withSoundLines(bytes)
            inFolder(holding: sound, as: ".emblem/journal.ndjson", &digest) { folder, digest in
                do throws(OutletError) {
                    let history = try RunHistory(try OutputFolder(folder))
                    digest.add("\(history.isUnfinished) \(history.damage ?? "")")
                    history.forEachItem { record in
                        digest.add("\(record)")
                        for output in record.outputs where RelativePath(output.path) == nil {
                            digest.add("a path that leads out is never followed")
                        }
                    }
                } catch {
                    digest.add("unreadable")
                }
            }
        },
    ]

    /// Reads all rows in order, and the first ones again by position.
    private static func read(
        _ folder: FilePath, _ format: ListFormat, _ digest: inout OutcomeDigest
    ) {
        do throws(ListError) {
            let list = try ListFile(
                folder.appending(FilePath("list")), format: format)
            var reader = list.reader()
            var count = 0
            while let row = try reader.next() {
                count += 1
                digest.add("\(row.line) \(row.source ?? "") \(row.alternatives) \(row.extra)")
                digest.add("\(String(describing: row.problem)) \(row.label ?? "")")
                guard count < 6 else { continue }
                let again = try list.row(at: row.offset, line: row.line)
                law(again == row, "A row is another one when it is read again.")
            }
        } catch {
            // The folder's name differs each time.
            digest.add("\(error.line ?? 0) \(error.reason)")
        }
    }

    private static func inFolder(
        holding bytes: [UInt8], as name: String, _ digest: inout OutcomeDigest,
        _ body: (FilePath, inout OutcomeDigest) -> Void
    ) {
        do {
            let folder = try ScratchFolder()
            try folder.write(bytes, to: name)
            body(FilePath(folder.path), &digest)
        } catch {
            law(false, "There is no room for the input: \(error)")
        }
    }
}
