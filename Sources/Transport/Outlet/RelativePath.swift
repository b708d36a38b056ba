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
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in parts {
            guard (1...255).contains(part.count), !part.contains(0),
                !part.elementsEqual(".".utf8), !part.elementsEqual("..".utf8)
            else { return nil }
        }
        self.text = text
    }

    package var description: String { text }

    /// The components from the outside in.
    package var components: [String] {
        text.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
    }

    /// The last component.
    package var name: String { components.last ?? "" }

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
