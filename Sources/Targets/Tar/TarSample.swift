import Digest
import Engine
import Notation

/// The members that one item has in an archive: its pictures in their order, then `KEY.json`.
package struct TarSample: Sendable {
    package struct Member: Sendable {
        package let name: String
        package let size: Int
        /// Where the picture is kept, below the target's folder; nil for the text.
        package let path: String?
        fileprivate let digest: String
    }

    /// What its members have in common.
    package let key: String
    package let members: [Member]
    /// What stands in `KEY.json`.
    package let text: [UInt8]

    /// Nil for an item without pictures.
    package init?(_ item: TargetItem) {
        guard let first = item.pictures.first, let slash = first.path.lastIndex(of: "/") else {
            return nil
        }
        let key = first.path[..<slash]
        var members = item.pictures.map { picture in
            Member(
                name: TarShards.member(key, picture.path.dropFirst(key.count + 1)),
                size: picture.bytes, path: picture.path, digest: picture.sha256)
        }
        let text = Self.text(of: item)
        members.append(
            Member(
                name: "\(key).json", size: text.count, path: nil,
                digest: SHA256.hash(text.span).hex))
        self.key = String(key)
        self.members = members
        self.text = text
    }

    /// How much of an archive it takes.
    package var archivedBytes: Int {
        members.reduce(0) { sum, member in
            sum + TarHeader.bytes(named: member.name, size: member.size).count
                + TarHeader.padded(member.size)
        }
    }

    /// What decides the bytes that it has in an archive.
    package var identity: String {
        members.map { "\($0.name) \($0.size) \($0.digest)\n" }.joined()
    }

    private static func text(of item: TargetItem) -> [UInt8] {
        let record = item.record
        var json = JSONWriter()
        json.object { json in
            json.member("id", record.id)
            json.member("source", record.source)
            json.member("status", record.status.rawValue)
            if let placeholder = record.placeholder { json.member("placeholder", placeholder) }
            if let failure = record.failure {
                json.member("error", failure.errorClass.rawValue)
            }
            if let label = record.accessibility.label { json.member("label", label) }
            if let hint = record.accessibility.hint { json.member("hint", hint) }
            if let value = record.accessibility.value { json.member("value", value) }
            if let thumbHash = record.thumbHash { json.member("thumbhash", thumbHash) }
            if let dominant = record.dominant { json.member("dominant_color", dominant) }
            json.array("pictures") { json in
                for picture in item.pictures { write(picture, into: &json) }
            }
            if !record.extra.isEmpty {
                json.object("extra") { json in
                    for member in record.extra { json.member(member.name, member.value) }
                }
            }
        }
        json.endLine()
        return json.bytes
    }

    private static func write(_ picture: OutputRecord, into json: inout JSONWriter) {
        json.object { json in
            json.member("file", picture.path.split(separator: "/").last.map(String.init) ?? "")
            json.member("layout", picture.layout)
            json.member("scale", JSON.number(ofScale: picture.scale))
            if picture.isDark { json.member("scheme", "dark") }
            json.member("width", picture.width)
            json.member("height", picture.height)
        }
    }
}
