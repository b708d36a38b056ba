import Digest
import Engine
import Notation
import Transport

/// WebDataset shards: archives that hold the pictures and the description of each item.
///
/// The pictures are kept next to the journal. An archive is written after all pictures are stored,
/// and only if its contents changed.
package struct TarShards: OutputTarget {
    package var kind: TargetKind { .tar }
    package var documents: [TargetDocument] { [] }
    private let shards: TarPacking

    package init(_ packing: TarPacking) { shards = packing }

    package var packing: TarPacking? { shards }

    /// Returns `KEY/medium@2x.png` for the member `KEY.medium@2x.png`, and `KEY/.png` for the only
    /// picture of an item, `KEY.png`. These names contain a dot and keys do not, so a key cannot
    /// equal such a name.
    package func path(of picture: TargetPicture) -> RelativePath? {
        let key = picture.name(for: .tar)
        let stem = picture.isOnlyPicture ? "" : "\(picture.layout)\(picture.marks)"
        return RelativePath("\(key)/\(stem).\(picture.fileExtension)")
    }

    package static let pattern = "emblems-######.tar"

    /// Returns the name in the archive for the path of a stored picture.
    package static func member(_ path: RelativePath) -> String {
        member(path.folders.joined(separator: "/")[...], path.name[...])
    }

    static func member(_ key: Substring, _ name: Substring) -> String {
        "\(key).\(name.hasPrefix(".") ? name.dropFirst() : name)"
    }

    package static let index = TargetFile("index.json", "").path

    package static func name(_ number: Int) -> RelativePath {
        let digits = "\(number)"
        let zeros = String(repeating: "0", count: max(0, 6 - digits.count))
        return TargetFile("emblems-\(zeros)\(digits).tar", "").path
    }
}

package enum TarPacking: Hashable, Sendable {
    /// Archives of at most this many bytes, but at least one item.
    case bytes(Int)
    /// A fixed number of archives with nearly equal numbers of items.
    case count(Int)

    package static let usual = TarPacking.bytes(1 << 30)
}

/// Headers of archive members (POSIX.1-2001), without owner and time, so that equal members have
/// equal bytes.
package enum TarHeader {
    private static let block = 512
    private static let nameBytes = 100

    package static let end = [UInt8](repeating: 0, count: 2 * block)

    /// Returns the size of a member's contents, rounded up to whole blocks.
    package static func padded(_ size: Int) -> Int { (size + block - 1) / block * block }

    /// Returns the header of a member. A name that is long or not ASCII is stored in an extended
    /// header record.
    package static func bytes(named name: String, size: Int) -> [UInt8] {
        let isPlain = name.utf8.count <= nameBytes && name.utf8.allSatisfy { $0 < 0x80 }
        guard !isPlain else { return header(Array(name.utf8), size, type: UInt8(ascii: "0")) }
        let record = self.record("path", name)
        let short = Array(name.utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: "_") }.suffix(nameBytes))
        let filling = [UInt8](repeating: 0, count: padded(record.count) - record.count)
        return header(Array("PaxHeader".utf8), record.count, type: UInt8(ascii: "x")) + record
            + filling + header(short, size, type: UInt8(ascii: "0"))
    }

    /// Returns a record whose leading length includes its own digits.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = Array(" \(key)=\(value)\n".utf8)
        var length = rest.count
        while "\(length)".utf8.count + rest.count != length {
            length = "\(length)".utf8.count + rest.count
        }
        return Array("\(length)".utf8) + rest
    }

    private static func header(_ name: [UInt8], _ size: Int, type: UInt8) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: block)
        func put(_ text: [UInt8], at offset: Int) {
            for (index, byte) in text.enumerated() { bytes[offset + index] = byte }
        }
        put(name, at: 0)
        put(octal(0o644, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(size, digits: 11), at: 124)
        put(octal(0, digits: 11), at: 136)
        bytes[156] = type
        put(Array("ustar".utf8), at: 257)
        put(Array("00".utf8), at: 263)
        // The checksum is computed with spaces in its own field.
        for index in 148..<156 { bytes[index] = 0x20 }
        let sum = bytes.reduce(0) { $0 + Int($1) }
        put(octal(sum, digits: 6) + [0, 0x20], at: 148)
        return bytes
    }

    private static func octal(_ value: Int, digits: Int) -> [UInt8] {
        let text = Array(String(value, radix: 8).utf8)
        return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - text.count)) + text
    }
}

/// The members of one item in an archive: its pictures in order, then `KEY.json`.
package struct TarSample: Sendable {
    package struct Member: Sendable {
        package let name: String
        package let size: Int
        /// The path of the stored picture below the target's folder; nil for the text.
        package let path: String?
        fileprivate let digest: String
    }

    /// The common prefix of the members' names.
    package let key: String
    package let members: [Member]
    package let text: [UInt8]

    /// Returns nil for an item without pictures.
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

    /// The size of the members in an archive, in bytes.
    package var archivedBytes: Int {
        members.reduce(0) { sum, member in
            sum + TarHeader.bytes(named: member.name, size: member.size).count
                + TarHeader.padded(member.size)
        }
    }

    /// The text that determines the archived bytes; equal texts give equal bytes.
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
