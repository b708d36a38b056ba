import Notation
import Targets
import Transport

/// Where targets stand that were given folders beside OUT, so that `verify` finds them.
///
/// What is noted in OUT could have been planted there. A folder counts only if it vouches for itself: it
/// holds a word that a run left in it, and that nobody can know who never read it. Runs believe none
/// of this; they write to what their command line names.
package enum TargetFolders {
    private static let listName = RelativePath.own("targets.json")
    private static let wordName = RelativePath.own("target.json")
    private static let bytesLimit = 1 << 16

    /// Notes the folders in OUT, and leaves a word in each of them.
    static func remember(
        _ targets: [OpenTarget], in out: OutputFolder
    ) throws(OutletError) {
        let others = targets.filter(\.files.isElsewhere)
        let isKnown = try out.exists(listName)
        guard isKnown || !others.isEmpty else { return }
        var json = JSONWriter()
        json.beginObject()
        json.name("targets")
        json.beginArray()
        for opened in others {
            let word = try word(in: opened.files.folder)
            json.object { json in
                json.member("target", opened.target.kind.rawValue)
                json.member("folder", opened.files.folder.path.absolute.description)
                json.member("word", word)
            }
        }
        json.endArray()
        json.endObject()
        json.endLine()
        _ = try SteadyFile.write(json.bytes, to: listName, in: out)
    }

    /// The folder of a target that stands beside `out`; nil where none vouches for itself.
    static func folder(of kind: TargetKind, beside out: FilePath) -> FilePath? {
        all(beside: out).first { $0.kind == kind }?.folder
    }

    /// The folders of all targets that stand beside `out`, where one is known.
    static func known(beside out: FilePath) -> [TargetKind: FilePath] {
        Dictionary(
            all(beside: out).map { ($0.kind, $0.folder) }, uniquingKeysWith: { one, _ in one })
    }

    /// The folders of the last run that `targets` name no more.
    package static func left(
        by targets: [OpenTarget], of out: FilePath
    ) -> [(kind: TargetKind, folder: FilePath)] {
        let named = targets.filter(\.files.isElsewhere).map(\.files.folder.identity)
        return all(beside: out).filter { target in
            FileFacts.at(target.folder).map { !named.contains($0.identity) } ?? false
        }
    }

    /// All that vouch for themselves.
    private static func all(beside out: FilePath) -> [(kind: TargetKind, folder: FilePath)] {
        let list = json(at: out.appending(FilePath(listName.text)))?["targets"]?.elements ?? []
        return list.compactMap { entry in
            guard let kind = (entry["target"]?.stringValue).flatMap(TargetKind.init),
                let path = entry["folder"]?.stringValue, let word = entry["word"]?.stringValue,
                isWord(word)
            else { return nil }
            let folder = FilePath(path)
            let there = json(at: folder.appending(FilePath(wordName.text)))
            return there?["word"]?.stringValue == word ? (kind, folder) : nil
        }
    }

    /// Whether a run wrote to a folder as that of a target before.
    static func isKnown(_ folder: OutputFolder) throws(OutletError) -> Bool {
        try standingWord(in: folder) != nil
    }

    private static func standingWord(in folder: OutputFolder) throws(OutletError) -> String? {
        guard let bytes = try folder.read(wordName, limit: bytesLimit),
            let word = JournalLine.json(of: bytes[...])?["word"]?.stringValue, isWord(word)
        else { return nil }
        return word
    }

    /// The word that stands in a folder, a new one where there is none.
    private static func word(in folder: OutputFolder) throws(OutletError) -> String {
        if let word = try standingWord(in: folder) { return word }
        let word = (0..<4).map { _ in Hexadecimal.text(.random(in: 0...UInt32.max), width: 8) }
            .joined()
        var json = JSONWriter()
        json.object { json in json.member("word", word) }
        json.endLine()
        try folder.write(json.bytes.span, to: wordName)
        return word
    }

    private static func isWord(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil }
    }

    private static func json(at path: FilePath) -> JSON? {
        do throws(IntakeError) {
            let (bytes, _) = try FileIntake.read(path, bytesLimit: bytesLimit)
            return JournalLine.json(of: bytes[...])
        } catch {
            return nil
        }
    }
}
