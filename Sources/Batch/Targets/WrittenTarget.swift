import Notation
import Targets

/// The files of a target about all items, as the manifest names them.
struct WrittenTarget: Sendable {
    struct File: Sendable {
        let path: String
        let bytes: Int
        let digest: String
    }

    let kind: TargetKind
    let isElsewhere: Bool
    var files: [File] = []

    init(kind: TargetKind, isElsewhere: Bool) {
        self.kind = kind
        self.isElsewhere = isElsewhere
    }

    init?(_ json: JSON) {
        guard let kind = (json["target"]?.stringValue).flatMap(TargetKind.init) else { return nil }
        self.init(kind: kind, isElsewhere: json["elsewhere"]?.boolValue == true)
        for file in json["files"]?.elements ?? [] {
            guard let path = file["path"]?.stringValue, let bytes = file["bytes"]?.intValue,
                let digest = file["sha256"]?.stringValue
            else { continue }
            files.append(File(path: path, bytes: bytes, digest: digest))
        }
    }

    var line: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "target")
            json.member("target", kind.rawValue)
            if isElsewhere { json.member("elsewhere", true) }
            json.array("files") { json in
                for file in files {
                    json.object { json in
                        json.member("path", file.path)
                        json.member("bytes", file.bytes)
                        json.member("sha256", file.digest)
                    }
                }
            }
        }
        json.endLine()
        return json.take()
    }
}
