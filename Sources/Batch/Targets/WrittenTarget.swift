import Notation
import Targets

/// The files of a target about all items, as the manifest names them.
struct WrittenTarget: Sendable {
    let kind: TargetKind
    let isElsewhere: Bool
    var files: [OwnedFile] = []

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
                        json.member("sha256", file.sha256)
                    }
                }
            }
        }
        json.endLine()
        return json.take()
    }
}
