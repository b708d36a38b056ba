/// A path below a folder that cannot lead out of it.
///
/// It has at least one component. No component is empty, `.` or `..`, contains a slash or NUL, or
/// exceeds the 255 bytes of a Linux name.
package struct RelativePath: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Creates a path; nil if the text is not one.
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

    /// Returns whether a component of this length, with this number of dots, is a name and neither
    /// `.` nor `..`.
    private static func isName(_ length: Int, dots: Int) -> Bool {
        (1...255).contains(length) && (length > 2 || dots < length)
    }

    package var description: String { text }

    package var components: [String] {
        text.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
    }

    package var name: String {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return text }
        return String(text[text.utf8.index(after: slash)...])
    }

    /// The bytes of the parent folders, separated by slashes.
    var folderBytes: [UInt8] {
        text.utf8.lastIndex(of: UInt8(ascii: "/")).map { Array(text.utf8[..<$0]) } ?? []
    }

    /// The parent folders; empty for a name at the top.
    package var folders: ArraySlice<String> { components.dropLast() }

    package var parent: RelativePath? {
        folders.isEmpty ? nil : RelativePath(folders.joined(separator: "/"))
    }

    /// Compares bytes, since two Unicode spellings of a letter name two different files.
    package static func == (left: RelativePath, right: RelativePath) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0 as UInt8)
    }
}
