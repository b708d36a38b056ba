/// A pattern for relative paths: `*` and `?` match within one name, `**` across names.
///
/// `a/**` matches everything below `a`, and `**/x` also matches `x`. A `/` at the end stands for
/// `/**`. All other characters match themselves, byte by byte.
package struct PathPattern: Hashable, Sendable {
    private enum Part: Hashable {
        case byte(UInt8)
        /// Any one byte except `/`.
        case any
        /// Any bytes except `/`.
        case name
        /// Any bytes, including `/`.
        case path
        /// Any number of names, including none, each followed by `/`.
        case folders
    }

    private static let slash = UInt8(ascii: "/")
    private let parts: [Part]

    package init(_ text: String) {
        var bytes = Array(text.utf8)
        if bytes.last == Self.slash { bytes += "**".utf8 }
        var parts: [Part] = []
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            let isStart = index == 0 || bytes[index - 1] == Self.slash
            switch bytes[index] {
            case UInt8(ascii: "*") where isStart && rest.starts(with: "**/".utf8):
                parts.append(.folders)
                index += 3
            case UInt8(ascii: "*") where rest.starts(with: "**".utf8):
                parts.append(.path)
                index += 2
            case UInt8(ascii: "*"):
                parts.append(.name)
                index += 1
            case UInt8(ascii: "?"):
                parts.append(.any)
                index += 1
            default:
                parts.append(.byte(bytes[index]))
                index += 1
            }
        }
        self.parts = parts
    }

    /// Returns whether the whole path matches. Takes time proportional to the product of both
    /// lengths.
    package func matches(_ path: [UInt8]) -> Bool {
        // The indices of the parts that can match next.
        var indices = Set([0])
        skipEmpty(&indices, atStart: true)
        for byte in path {
            var next: Set<Int> = []
            for index in indices where index < parts.count {
                switch parts[index] {
                case .byte(let wanted): if byte == wanted { next.insert(index + 1) }
                case .any: if byte != Self.slash { next.insert(index + 1) }
                case .name: if byte != Self.slash { next.insert(index) }
                case .path, .folders: next.insert(index)
                }
            }
            guard !next.isEmpty else { return false }
            skipEmpty(&next, atStart: byte == Self.slash)
            indices = next
        }
        return indices.contains(parts.count)
    }

    /// Adds the indices after parts that can match an empty text.
    private func skipEmpty(_ indices: inout Set<Int>, atStart: Bool) {
        for first in indices {
            var index = first
            while index < parts.count, canBeEmpty(parts[index], atStart) {
                index += 1
                indices.insert(index)
            }
        }
    }

    private func canBeEmpty(_ part: Part, _ atStart: Bool) -> Bool {
        switch part {
        case .name, .path: true
        case .folders: atStart
        case .byte, .any: false
        }
    }
}
