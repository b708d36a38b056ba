import Digest
import System
import Transport

/// The notes about SVG files that crashed earlier runs into a folder.
///
/// If a run draws in its own process, a crash ends it. The next run skips the SVG that the crashed
/// thread was drawing.
package final class CrashNotes: Sendable {
    private static let name = RelativePath.own("crashed")
    private static let bytesLimit = 1 << 20

    private let folder: OutputFolder
    private let file: AppendFile
    package let digests: Set<Digest256>

    /// Reads the notes of earlier runs, and records crashes until `end()`.
    package init(in folder: OutputFolder, startsOver: Bool) throws(OutletError) {
        if startsOver { try folder.remove(Self.name) }
        self.folder = folder
        file = try AppendFile(Self.name, in: folder)
        let lines = try file.read(at: 0, count: Self.bytesLimit).split(separator: 0x0A)
        digests = Set(lines.compactMap { Digest256(hex: String(decoding: $0, as: UTF8.self)) })
        file.takeCrashNotes()
    }

    /// Stops recording crashes, and removes an empty file.
    package func end() {
        CrashNote.end()
        guard digests.isEmpty else { return }
        // An empty file has no effect.
        try? folder.remove(Self.name)
    }
}
