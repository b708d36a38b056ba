import Codecs
import Engine
import Notation
import Targets
import Transport

/// What the options of a run say of one of its targets.
package struct TargetRecord: Sendable, Hashable {
    package let kind: TargetKind
    /// Below OUT, with a slash at the end, and empty for OUT itself; nil where it stands elsewhere.
    package let prefix: String?
    private let set: PictureSet
    private let packing: TarPacking?

    /// Nil for all that is made, as files in OUT, of which nothing need be said.
    init?(_ opened: OpenTarget) {
        guard let set = opened.set else { return nil }
        kind = opened.target.kind
        prefix = opened.files.isElsewhere ? nil : opened.files.prefix
        packing = opened.target.packing
        self.set = set
    }

    /// Reads what `write` wrote, as far as it tells where files stand.
    init?(_ json: JSON) {
        guard let kind = (json["target"]?.stringValue).flatMap(TargetKind.init) else { return nil }
        self.kind = kind
        if json["elsewhere"]?.boolValue == true {
            prefix = nil
        } else {
            let folder = json["folder"]?.stringValue ?? ""
            prefix = folder.isEmpty ? "" : folder + "/"
        }
        packing = nil
        set = PictureSet(scales: [], formats: [])
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("target", kind.rawValue)
            if let prefix {
                if !prefix.isEmpty { json.member("folder", String(prefix.dropLast())) }
            } else {
                json.member("elsewhere", true)
            }
            json.array("scale") { json in
                for scale in set.scales { json.write(JSON.number(ofScale: scale)) }
            }
            json.array("format") { json in
                if set.formats.isEmpty { json.write("same") }
                for format in set.formats { json.write(format.name) }
            }
        }
    }

    /// How pictures are packed decides nothing about them, and is said apart.
    func writePacking(into json: inout JSONWriter) {
        switch packing {
        case .bytes(let bytes): json.member("shard_size", bytes)
        case .count(let count): json.member("shard_count", count)
        case nil: break
        }
    }

    /// The files about one item and no other, as `verify` finds them: below OUT, or below the folder
    /// that was named for the target.
    package func files(of record: ItemRecord) -> [TargetFile] {
        guard kind == .xcassets else { return [] }
        let prefix = self.prefix ?? ""
        return AssetCatalog.files(of: TargetItem(record, in: kind, prefix: prefix)).compactMap {
            file in
            RelativePath(prefix + file.path.text).map { TargetFile(path: $0, bytes: file.bytes) }
        }
    }

    /// The targets of the run whose record this is; none for files in OUT alone.
    package static func all(of run: JSON) -> [TargetRecord] {
        (run["options"]?["target"]?.elements ?? []).compactMap { TargetRecord($0) }
    }
}
