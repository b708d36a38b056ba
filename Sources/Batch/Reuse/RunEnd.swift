import Notation
import Transport

/// What a run leaves in its last line, so that the next one can see that nothing changed: which file
/// its manifest is, and what only a look at all items tells.
struct RunEnd: Hashable, Sendable {
    /// The checksum of the run's first line: the end of another run says nothing of this one.
    let head: String
    /// The manifest's length, time and inode.
    private let manifest: [Int]
    let near: NearDuplicates.Count

    /// - Parameter folder: holds the manifest.
    init?(
        _ near: NearDuplicates.Count, of head: String, in folder: OutputFolder
    ) throws(OutletError) {
        guard let facts = try folder.facts(of: RelativePath(ours: Manifest.name)) else {
            return nil
        }
        self.head = head
        manifest = Self.numbers(facts)
        self.near = near
    }

    /// Reads what `write` wrote; nil where an earlier version of the tool wrote less.
    init?(_ json: JSON) {
        guard let head = json["head"]?.stringValue,
            let manifest = json["manifest"]?.elements?.compactMap(\.intValue),
            manifest.count == 3,
            let near = json["near"]?.elements?.compactMap(\.intValue), near.count == 2
        else { return nil }
        self.head = head
        self.manifest = manifest
        self.near = NearDuplicates.Count(items: near[0], withNothingElse: near[1])
    }

    func write(into json: inout JSONWriter) {
        json.member("head", head)
        json.array("manifest") { json in
            for number in manifest { json.write(number) }
        }
        json.array("near") { json in
            json.write(near.items)
            json.write(near.withNothingElse)
        }
    }

    /// Whether the last manifest in `folder` is the file that the run left.
    func isOfManifest(in folder: OutputFolder) throws(OutletError) -> Bool {
        try folder.facts(of: LastManifest.currentName(in: folder)).map(Self.numbers) == manifest
    }

    private static func numbers(_ facts: FileFacts) -> [Int] {
        [facts.size, Int(facts.modified), Int(truncatingIfNeeded: facts.identity.inode)]
    }
}
