import Notation
import Transport

/// The tool's own name and version, as records state them.
package enum ToolVersion {
    package static let number = "0.1.0"
    package static let text = "emblem \(number)"
}

/// Writes `manifest.ndjson`: what came of every input, in input order, without times.
enum Manifest {
    static let name = "manifest.ndjson"
    static let schema = "emblem.manifest/1"

    /// Writes the whole manifest from the journal and lets it appear at once.
    static func write(
        _ journal: inout Journal, options: OptionsRecord, themeDigest: String, counts: RunCounts,
        into folder: OutputFolder
    ) throws(OutletError) {
        var file = try folder.newFile(RelativePath(ours: name))
        try file.append(head(options, themeDigest: themeDigest))
        try journal.forEachItem { line throws(OutletError) in
            try file.append(line.span)
            try file.append([0x0A])
        }
        try file.append(summary(counts))
        try folder.syncAll()
        _ = try file.commit(sync: true)
    }

    private static func head(_ options: OptionsRecord, themeDigest: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "run")
            json.member("schema", schema)
            json.member("tool", ToolVersion.text)
            options.write(into: &json)
            json.member("theme_sha256", themeDigest)
        }
        json.endLine()
        return json.take()
    }

    private static func summary(_ counts: RunCounts) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "summary")
            json.member("items", counts.done)
            json.member("ok", counts.ok)
            json.member("placeholder", counts.placeholders)
            json.member("failed", counts.failed)
            json.member("outputs", counts.outputs)
            counts.write(errorsInto: &json)
        }
        json.endLine()
        return json.take()
    }
}
