/// A path below a folder that cannot lead out of it.
///
/// It has at least one component; none is empty, `.` or `..`, holds a slash or a NUL, or is longer
/// than the 255 bytes a Linux name may have.
package struct RelativePath: Hashable, Sendable, CustomStringConvertible {
    /// The components with slashes between them.
    package let text: String

    /// Nil if the text could lead anywhere else.
    package init?(_ text: String) {
        guard text.utf8.count < 4_096 else { return nil }
        guard Self.leadsInside(text) else { return nil }
        self.text = text
    }

    private static func leadsInside(_ text: String) -> Bool {
        var length = 0
        var dots = 0
        for byte in text.utf8 {
            switch byte {
            case 0: return false
            case UInt8(ascii: "/"):
                guard isName(length, dots: dots) else { return false }
                length = 0
                dots = 0
            default:
                length += 1
                if byte == UInt8(ascii: ".") { dots += 1 }
            }
        }
        return isName(length, dots: dots)
    }

    /// So many bytes, of which so many are dots, are a name, and neither `.` nor `..`.
    private static func isName(_ length: Int, dots: Int) -> Bool {
        (1...255).contains(length) && (length > 2 || dots < length)
    }

    package var description: String { text }

    /// The components from the outside in.
    package var components: [String] {
        text.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
    }

    /// The last component.
    package var name: String {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return text }
        return String(text[text.utf8.index(after: slash)...])
    }

    /// The bytes of the folders on the way, with slashes between them.
    var folderBytes: [UInt8] {
        text.utf8.lastIndex(of: UInt8(ascii: "/")).map { Array(text.utf8[..<$0]) } ?? []
    }

    /// The folders on the way; empty for a name at the top.
    package var folders: ArraySlice<String> { components.dropLast() }

    /// The folder it lies in; nil for a name at the top.
    package var parent: RelativePath? {
        folders.isEmpty ? nil : RelativePath(folders.joined(separator: "/"))
    }

    /// Paths are equal when their bytes are; two spellings of one letter name two files.
    package static func == (left: RelativePath, right: RelativePath) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0 as UInt8)
    }
}
