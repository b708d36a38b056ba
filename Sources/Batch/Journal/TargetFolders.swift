import Notation
import Synchronization
import Targets
import Transport

/// The target folders outside OUT of a run, and the id of the set in OUT.
///
/// The `begin` line of the journal has them, so that `verify` finds the folders. An attacker could
/// plant a journal in OUT. A folder therefore counts only if its marker file has the same id, which
/// cannot be guessed. Runs do not trust the journal: they write only to the folders on their command
/// line.
///
/// A target folder belongs to the OUT that its marker names. This claim counts only while the
/// journal in that OUT names the folder and the id. A planted marker can refuse a run, but never lead
/// it to another folder.
package struct TargetFolders: Hashable, Sendable {
    private static let markerName = RelativePath.own("target.json")
    private static let markerLimit = 1 << 16

    private struct Entry: Hashable {
        let kind: TargetKind
        let folder: FilePath
    }

    /// The random id of the set, as 32 hexadecimal digits; nil if no run has begun.
    private let id: String?
    private let entries: [Entry]

    init() {
        id = nil
        entries = []
    }

    /// Creates the folders of a run, with the id of earlier runs into OUT.
    init(of targets: [OpenTarget], after last: TargetFolders?) {
        id =
            last?.id
            ?? (0..<4).map { _ in Hexadecimal.text(.random(in: 0...UInt32.max), width: 8) }.joined()
        entries = targets.filter(\.root.isElsewhere).map {
            Entry(kind: $0.target.kind, folder: $0.root.folder.path.absolute)
        }
    }

    /// Reads the members of a `begin` line.
    init(_ json: JSON) {
        id = Self.id(json)
        entries = (json["folders"]?.elements ?? []).compactMap { entry in
            guard let kind = (entry["target"]?.stringValue).flatMap(TargetKind.init),
                let path = entry["folder"]?.stringValue
            else { return nil }
            return Entry(kind: kind, folder: FilePath(path))
        }
    }

    /// Reads the last `begin` line of the journal in `out`.
    private init(recordedIn out: FilePath) {
        self = JournalRecords.lastBegin(in: out).map { TargetFolders($0) } ?? TargetFolders()
    }

    private static func id(_ json: JSON) -> String? {
        guard let id = json["set"]?.stringValue, id.utf8.count == 32,
            id.utf8.allSatisfy({ Hexadecimal.value(of: $0) != nil })
        else { return nil }
        return id
    }

    func write(into json: inout JSONWriter) {
        if let id { json.member("set", id) }
        guard !entries.isEmpty else { return }
        json.array("folders") { json in
            for entry in entries {
                json.object { json in
                    json.member("target", entry.kind.rawValue)
                    json.member("folder", entry.folder.text)
                }
            }
        }
    }

    /// Returns the folders of the last run into `out` whose markers have the id of its set.
    static func known(beside out: FilePath) -> [TargetKind: FilePath] {
        let last = TargetFolders(recordedIn: out)
        let marked = last.entries.filter { entry in
            let path = entry.folder.appending(FilePath(markerName.text))
            let bytes = try? FileIntake.read(path, bytesLimit: markerLimit).bytes
            let marker = bytes.flatMap { JournalLine.json(of: $0[...]) }
            return last.id != nil && marker.flatMap(id) == last.id
        }
        return Dictionary(marked.map { ($0.kind, $0.folder) }, uniquingKeysWith: { one, _ in one })
    }

    // MARK: Markers

    /// The marker in a target folder: the id of the set, and its OUT.
    private struct Marker {
        let id: String
        let out: FilePath?

        init?(in folder: OutputFolder) throws(OutletError) {
            guard let bytes = try folder.read(markerName, limit: markerLimit),
                let json = JournalLine.json(of: bytes[...]), let id = TargetFolders.id(json)
            else { return nil }
            self.id = id
            out = json["out"]?.stringValue.flatMap { text in
                text.hasPrefix("/") && !text.utf8.contains(0) ? FilePath(text) : nil
            }
        }
    }

    /// Writes the marker of the set in `out` to each folder that has another one.
    func mark(_ targets: [OpenTarget], of out: OutputFolder) throws(OutletError) {
        guard let id else { return }
        for folder in targets.filter(\.root.isElsewhere).map(\.root.folder) {
            let path = out.path.absolute
            let marker = try Marker(in: folder)
            if marker?.id == id, marker?.out == path { continue }
            var json = JSONWriter()
            json.object { json in
                json.member("set", id)
                json.member("out", path.text)
            }
            json.endLine()
            try folder.write(json.bytes.span, to: Self.markerName)
        }
    }

    /// Whether an earlier run into `out`, whose set these folders belong to, wrote to a folder.
    func haveMarked(_ folder: OutputFolder, of out: OutputFolder) throws(OutletError) -> Bool {
        guard let marker = try Marker(in: folder) else { return false }
        if marker.id == id { return true }
        return marker.out.flatMap { FileFacts.at($0)?.identity } == out.identity
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
        guard let marker = try Marker(in: folder), let other = marker.out,
            let facts = FileFacts.at(other), facts.kind == .folder, facts.identity != out.identity
        else { return nil }
        let claims = TargetFolders(recordedIn: other)
        let isHeld =
            claims.id == marker.id
            && claims.entries.contains { FileFacts.at($0.folder)?.identity == folder.identity }
        return isHeld ? other : nil
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
