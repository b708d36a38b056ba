import Notation
import Synchronization
import Targets
import Transport

/// The notes about target folders outside OUT, so that `verify` finds them.
///
/// An attacker could plant the note in OUT. A folder therefore counts only if it contains the same
/// random word, which a run wrote to it and which cannot be guessed. Runs do not trust the notes:
/// they write only to the folders on their command line.
///
/// The note in a target folder also lists the output folders (OUT) that claim it. A claim counts
/// only while the note in that OUT names the target folder and its word. A planted claim can refuse
/// a run, but never lead it to another folder.
package enum TargetFolders {
    /// A target folder in the note of an OUT.
    struct Entry {
        let out: FilePath
        let kind: TargetKind
        let folder: FilePath
        let word: String
        /// Whether the last run into OUT had `--share-target`.
        let isShared: Bool
    }

    private struct Claims {
        let word: String
        let claimants: [FilePath]
    }

    private static let listName = RelativePath.own("targets.json")
    private static let wordName = RelativePath.own("target.json")
    private static let bytesLimit = 1 << 16
    private static let claimsLimit = 256

    /// Writes the folders to the note in OUT, and the word and the claim of OUT to each folder.
    ///
    /// - Parameter isShared: other sets may claim the folders too.
    static func remember(
        _ targets: [OpenTarget], in out: OutputFolder, isShared: Bool
    ) throws(OutletError) {
        let others = targets.filter(\.root.isElsewhere)
        let isKnown = try out.exists(listName)
        guard isKnown || !others.isEmpty else { return }
        var json = JSONWriter()
        json.beginObject()
        json.name("targets")
        json.beginArray()
        for opened in others {
            let word = try claim(opened.root.folder, for: out)
            json.object { json in
                json.member("target", opened.target.kind.rawValue)
                json.member("folder", opened.root.folder.path.absolute.text)
                json.member("word", word)
                if isShared { json.member("shared", true) }
            }
        }
        json.endArray()
        json.endObject()
        json.endLine()
        _ = try SteadyFile.write(json.bytes, to: listName, in: out)
    }

    /// Returns the folder of a target outside `out`; nil if no folder contains the word in the
    /// note.
    static func folder(of kind: TargetKind, beside out: FilePath) -> FilePath? {
        all(beside: out).first { $0.kind == kind }?.folder
    }

    /// Returns the folders of all targets outside `out` that contain the word in the note.
    static func known(beside out: FilePath) -> [TargetKind: FilePath] {
        Dictionary(
            all(beside: out).map { ($0.kind, $0.folder) }, uniquingKeysWith: { one, _ in one })
    }

    /// Returns the folders of the last run that `targets` no longer name.
    package static func left(
        by targets: [OpenTarget], of out: FilePath
    ) -> [(kind: TargetKind, folder: FilePath)] {
        let named = targets.filter(\.root.isElsewhere).map(\.root.folder.identity)
        return all(beside: out).filter { target in
            FileFacts.at(target.folder).map { !named.contains($0.identity) } ?? false
        }
    }

    /// Returns all folders in the note of `out` that contain the word in the note.
    private static func all(beside out: FilePath) -> [(kind: TargetKind, folder: FilePath)] {
        entries(in: out).compactMap { entry in
            let there = json(at: entry.folder.appending(FilePath(wordName.text)))
            return there?["word"]?.stringValue == entry.word ? (entry.kind, entry.folder) : nil
        }
    }

    private static func entries(in out: FilePath) -> [Entry] {
        let list = json(at: out.appending(FilePath(listName.text)))?["targets"]?.elements ?? []
        return list.compactMap { entry in
            guard let kind = (entry["target"]?.stringValue).flatMap(TargetKind.init),
                let path = entry["folder"]?.stringValue, let word = entry["word"]?.stringValue,
                isWord(word)
            else { return nil }
            return Entry(
                out: out, kind: kind, folder: FilePath(path), word: word,
                isShared: entry["shared"]?.boolValue == true)
        }
    }

    // MARK: Claims

    /// Returns whether the last run into `out` wrote to a folder as the folder of a target.
    static func isKnown(
        _ folder: OutputFolder, to out: OutputFolder
    ) throws(OutletError) -> Bool {
        guard let word = try claims(on: folder)?.word else { return false }
        return entries(in: out.path).contains { $0.word == word }
    }

    /// Returns the sets, apart from the set in `out`, that a folder belongs to.
    static func holders(
        of folder: OutputFolder, besides out: OutputFolder
    ) throws(OutletError) -> [Entry] {
        guard let claims = try claims(on: folder) else { return [] }
        return claims.claimants.compactMap { other in
            guard let facts = FileFacts.at(other), facts.kind == .folder,
                facts.identity != out.identity
            else { return nil }
            return entries(in: other).first {
                $0.word == claims.word && FileFacts.at($0.folder)?.identity == folder.identity
            }
        }
    }

    /// Returns each target folder with another OUT whose claim on it no longer counts.
    package static func released(
        on targets: [OpenTarget], besides out: OutputFolder
    ) throws(OutletError) -> [(folder: FilePath, out: FilePath)] {
        var released: [(folder: FilePath, out: FilePath)] = []
        for folder in targets.filter(\.root.isElsewhere).map(\.root.folder) {
            let holders = try holders(of: folder, besides: out).map(\.out)
            for other in try claims(on: folder)?.claimants ?? []
            where !holders.contains(other) && FileFacts.at(other)?.identity != out.identity {
                released.append((folder.path, other))
            }
        }
        return released
    }

    private static func claims(on folder: OutputFolder) throws(OutletError) -> Claims? {
        guard let bytes = try folder.read(wordName, limit: bytesLimit),
            let json = JournalLine.json(of: bytes[...]), let word = json["word"]?.stringValue,
            isWord(word)
        else { return nil }
        let claimants = (json["sets"]?.elements ?? []).prefix(claimsLimit).compactMap(\.stringValue)
        return Claims(
            word: word,
            claimants: claimants.filter { $0.hasPrefix("/") && !$0.utf8.contains(0) }.map {
                FilePath($0)
            })
    }

    /// Adds the claim of `out` to those of the other sets that a folder belongs to.
    ///
    /// - Returns: The word of the folder; a new word if the folder has none.
    private static func claim(
        _ folder: OutputFolder, for out: OutputFolder
    ) throws(OutletError) -> String {
        let standing = try claims(on: folder)
        let word =
            standing?.word
            ?? (0..<4).map { _ in Hexadecimal.text(.random(in: 0...UInt32.max), width: 8) }.joined()
        let others = try holders(of: folder, besides: out).map(\.out)
        let claimants = (others + [out.path.absolute]).map(\.text).sorted()
        guard claimants != standing?.claimants.map(\.text) else { return word }
        var json = JSONWriter()
        json.object { json in
            json.member("word", word)
            json.array("sets") { json in
                for out in claimants { json.write(out) }
            }
        }
        json.endLine()
        guard claimants.count <= claimsLimit, json.bytes.count <= bytesLimit else {
            throw .io(
                path: folder.display(wordName), doing: "note one more set in",
                cause: .tooLarge)
        }
        try folder.write(json.bytes.span, to: wordName)
        return word
    }

    private static func isWord(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil }
    }

    private static func json(at path: FilePath) -> JSON? {
        guard let bytes = try? FileIntake.read(path, bytesLimit: bytesLimit).bytes else {
            return nil
        }
        return JournalLine.json(of: bytes[...])
    }
}

/// The locks of several target folders, released together.
package final class HeldFolders: Sendable {
    private final class Hold: Sendable {
        private let lock: OutputLock
        init(_ lock: consuming OutputLock) { self.lock = lock }
    }

    private let holds = Mutex<[Hold]>([])

    package init() {}

    package func hold(_ folder: OutputFolder) throws(OutletError) {
        let hold = Hold(try OutputLock(folder))
        holds.withLock { $0.append(hold) }
    }

    package func release() { holds.withLock { $0 = [] } }
}

extension TargetFolders.Entry {
    /// Calls `body` with the path of each file that the set has in its target folder, according to
    /// its records.
    func forEachFile(_ body: (String) -> Void) throws(OutletError) {
        try OutputLedger.forEachFileElsewhere(of: OutputFolder(out)) { file in
            if file.kind == kind.rawValue { body(file.path) }
        }
    }
}
