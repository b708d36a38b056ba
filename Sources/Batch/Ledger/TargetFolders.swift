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
/// A target folder belongs to one OUT, which its note names. This claim counts only while the note
/// in that OUT names the target folder and its word. A planted claim can refuse a run, but never
/// lead it to another folder.
package enum TargetFolders {
    /// A target folder in the note of an OUT.
    struct Entry {
        let out: FilePath
        let kind: TargetKind
        let folder: FilePath
        let word: String
    }

    /// The note in a target folder.
    private struct Claim {
        let word: String
        let out: FilePath?
    }

    private static let listName = RelativePath.own("targets.json")
    private static let wordName = RelativePath.own("target.json")
    private static let bytesLimit = 1 << 16

    /// Writes the folders to the note in OUT, and the word and the claim of OUT to each folder.
    static func remember(
        _ targets: [OpenTarget], in out: OutputFolder
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
            return Entry(out: out, kind: kind, folder: FilePath(path), word: word)
        }
    }

    // MARK: Claims

    /// Returns whether the last run into `out` wrote to a folder as the folder of a target.
    static func isKnown(
        _ folder: OutputFolder, to out: OutputFolder
    ) throws(OutletError) -> Bool {
        guard let word = try claim(on: folder)?.word else { return false }
        return entries(in: out.path).contains { $0.word == word }
    }

    /// Returns why a run may not write to its folders; nil if it may. Writes nothing, so that a
    /// refused run leaves every folder as it was.
    static func refusal(of outlet: Outlet) throws(OutletError) -> String? {
        if let holder = try holder(of: outlet.folder, besides: outlet.folder) {
            return
                "cannot write to \(shown(outlet.folder.path)): it is a target folder of the set in "
                + "\(shown(holder)). Choose another folder with -o."
        }
        for opened in outlet.targets where opened.root.isElsewhere {
            let folder = opened.root.folder
            let start = "cannot write to \(shown(folder.path)): it"
            let remedy =
                "Choose another folder with --target \(opened.target.kind.rawValue)=DIR."
            // An empty journal does not count, because a refused run leaves an empty one.
            if folder.identity != outlet.folder.identity,
                try folder.facts(of: RunHistory.name)?.size ?? 0 > 0
            {
                return "\(start) is the output folder of another set. \(remedy)"
            }
            if let holder = try holder(of: folder, besides: outlet.folder) {
                return "\(start) belongs to the set in \(shown(holder)). \(remedy)"
            }
        }
        return nil
    }

    private static func shown(_ path: FilePath) -> String {
        PrintableText.escaped("\(path)", limit: 200)
    }

    /// Returns the OUT that a folder belongs to; nil if it is `out`, or none.
    private static func holder(
        of folder: OutputFolder, besides out: OutputFolder
    ) throws(OutletError) -> FilePath? {
        guard let claim = try claim(on: folder), let other = claim.out,
            let facts = FileFacts.at(other), facts.kind == .folder, facts.identity != out.identity
        else { return nil }
        let isHeld = entries(in: other).contains {
            $0.word == claim.word && FileFacts.at($0.folder)?.identity == folder.identity
        }
        return isHeld ? other : nil
    }

    /// Returns each target folder with another OUT whose claim on it no longer counts.
    package static func released(
        on targets: [OpenTarget], besides out: OutputFolder
    ) throws(OutletError) -> [(folder: FilePath, out: FilePath)] {
        var released: [(folder: FilePath, out: FilePath)] = []
        for folder in targets.filter(\.root.isElsewhere).map(\.root.folder) {
            guard let other = try claim(on: folder)?.out,
                FileFacts.at(other)?.identity != out.identity,
                try holder(of: folder, besides: out) == nil
            else { continue }
            released.append((folder.path, other))
        }
        return released
    }

    private static func claim(on folder: OutputFolder) throws(OutletError) -> Claim? {
        guard let bytes = try folder.read(wordName, limit: bytesLimit),
            let json = JournalLine.json(of: bytes[...]), let word = json["word"]?.stringValue,
            isWord(word)
        else { return nil }
        let out = json["out"]?.stringValue.flatMap { text in
            text.hasPrefix("/") && !text.utf8.contains(0) ? FilePath(text) : nil
        }
        return Claim(word: word, out: out)
    }

    /// Notes `out` as the owner of a folder.
    ///
    /// - Returns: The word of the folder; a new word if the folder has none.
    private static func claim(
        _ folder: OutputFolder, for out: OutputFolder
    ) throws(OutletError) -> String {
        let standing = try claim(on: folder)
        let word =
            standing?.word
            ?? (0..<4).map { _ in Hexadecimal.text(.random(in: 0...UInt32.max), width: 8) }.joined()
        let path = out.path.absolute
        guard standing?.out?.text != path.text else { return word }
        var json = JSONWriter()
        json.object { json in
            json.member("word", word)
            json.member("out", path.text)
        }
        json.endLine()
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
