import Codecs
import Engine
import Notation
import Targets
import Transport

/// A target of a run, as records describe it.
package struct TargetRecord: Sendable, Hashable {
    package let kind: TargetKind
    /// The path below OUT with a final slash, empty for OUT itself; nil for a folder outside OUT.
    package let prefix: String?
    private let set: PictureSet

    /// Nil for plain files in OUT without a picture set, which need no record.
    init?(_ opened: OpenTarget) {
        guard let set = opened.set else { return nil }
        kind = opened.target.kind
        prefix = opened.root.isElsewhere ? nil : opened.root.prefix
        self.set = set
    }

    /// Reads the parts of the output of `write` that locate the files.
    init?(_ json: JSON) {
        guard let kind = (json["target"]?.stringValue).flatMap(TargetKind.init) else { return nil }
        self.kind = kind
        if json["elsewhere"]?.boolValue == true {
            prefix = nil
        } else {
            let folder = json["folder"]?.stringValue ?? ""
            prefix = folder.isEmpty ? "" : folder + "/"
        }
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

    /// Returns the files about a single item, relative to OUT or to the target's own folder.
    package func files(of record: ItemRecord) -> [TargetFile] {
        guard kind == .xcassets else { return [] }
        let prefix = self.prefix ?? ""
        return AssetCatalog.files(of: TargetItem(record, in: kind, prefix: prefix)).compactMap {
            file in
            RelativePath(prefix + file.path.text).map { TargetFile(path: $0, bytes: file.bytes) }
        }
    }

    /// Returns the targets in a run record; empty for plain files in OUT.
    package static func all(of run: JSON) -> [TargetRecord] {
        (run["options"]?["target"]?.elements ?? []).compactMap { TargetRecord($0) }
    }
}
