import Glibc

/// A path as Linux treats it: bytes, which need not be UTF-8.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
    /// The characters that represent the non-UTF-8 bytes from 0x80 on in a text.
    private static let marks: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF
    /// The first UTF-8 byte of these characters.
    private static let markStart: UInt8 = 0xF4

    package let bytes: [UInt8]

    /// Creates the path from a text in the form of the property `text`.
    package init(_ text: String) {
        guard text.utf8.contains(Self.markStart) else {
            bytes = Array(text.utf8)
            return
        }
        bytes = text.unicodeScalars.flatMap { scalar in
            Self.marks.contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    /// The path as a text from which the same path can be created: each byte that is not UTF-8
    /// becomes a character from U+10FF80 to U+10FFFF.
    package var text: String {
        let whole = String(validating: bytes, as: UTF8.self)
        if let whole, !bytes.contains(Self.markStart) { return whole }
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            let character = String(validating: rest.prefix(length), as: UTF8.self)
            if let character, !Self.isMarked(character) {
                text += character
                rest = rest.dropFirst(length)
            } else {
                Unicode.Scalar(Self.marks.lowerBound - 0x80 + UInt32(first)).map {
                    text.unicodeScalars.append($0)
                }
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// Returns whether a text has characters for bytes that are not UTF-8.
    package static func isMarked(_ text: String) -> Bool {
        text.utf8.contains(markStart) && text.unicodeScalars.contains { marks.contains($0.value) }
    }

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The path for messages: bytes that are not UTF-8 become U+FFFD.
    package var description: String {
        String(decoding: bytes, as: UTF8.self)
    }

    package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// Returns the path joined to this folder; an absolute path is returned unchanged.
    package func appending(_ path: FilePath) -> FilePath {
        if path.isAbsolute || bytes.isEmpty { return path }
        if path.bytes.isEmpty { return self }
        var joined = bytes
        if joined.last != UInt8(ascii: "/") { joined.append(UInt8(ascii: "/")) }
        joined.append(contentsOf: path.bytes)
        return FilePath(bytes: joined)
    }

    /// The folder of the path; `.` if the path has none.
    package var folder: FilePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
        return slash == 0 ? FilePath("/") : FilePath(bytes: Array(bytes[..<slash]))
    }

    package var lastComponent: ArraySlice<UInt8> {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
        return bytes[(slash + 1)...]
    }

    /// The path without slashes at its end, so that a component can be appended.
    package var withoutTrailingSlashes: FilePath {
        var end = bytes.count
        while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
        return end == bytes.count ? self : FilePath(bytes: Array(bytes[..<end]))
    }
}

extension FilePath {
    /// The path without `.` and doubled slashes, relative to the working folder if it is below it:
    /// `logos`, `./logos` and the absolute path all become equal.
    package var normalised: FilePath {
        if Self.areNames(bytes[...]) { return self }
        if isAbsolute, Self.areNames(bytes.dropFirst()) { return belowWorkingFolder ?? self }
        let whole = absolute
        if !Self.workingFolder.components.isEmpty, let rest = whole.below(Self.workingFolder) {
            return rest
        }
        let root = whole.isAbsolute ? [UInt8(ascii: "/")] : []
        return FilePath(bytes: root + Self.joined(whole.components[...]))
    }

    /// The absolute path. `..` stays, since its meaning depends on links before it.
    package var absolute: FilePath { Self.workingFolder.appending(self) }

    /// Returns the path relative to `folder`; nil if it is not below it. Components are compared,
    /// and links are not followed.
    package func below(_ folder: FilePath) -> FilePath? {
        let (parts, outer) = (absolute.components, folder.absolute.components)
        guard parts.count > outer.count, parts.starts(with: outer) else { return nil }
        return FilePath(bytes: Self.joined(parts.dropFirst(outer.count)))
    }

    /// Returns the relative path from `folder`: empty if both are equal, nil if the path is not
    /// below it by its components or the rest is not a `RelativePath`.
    package func path(below folder: FilePath) -> String? {
        guard let rest = below(folder) else {
            return absolute.components == folder.absolute.components ? "" : nil
        }
        let text = rest.description
        guard text.utf8.elementsEqual(rest.bytes) else { return nil }
        return RelativePath(text)?.text
    }

    /// The path relative to the working folder, if it is absolute and normalised and below it.
    private var belowWorkingFolder: FilePath? {
        let here = Self.workingFolder.bytes
        guard here.count > 1, bytes.count > here.count, bytes[here.count] == UInt8(ascii: "/"),
            bytes.starts(with: here)
        else { return nil }
        return FilePath(bytes: Array(bytes[(here.count + 1)...]))
    }

    /// Returns whether the bytes are names with single slashes between them, none of which begins
    /// with a dot. Such a path, the usual case, is already normalised.
    private static func areNames(_ bytes: ArraySlice<UInt8>) -> Bool {
        var previous = UInt8(ascii: "/")
        for byte in bytes {
            let isDoubtful = byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")
            if previous == UInt8(ascii: "/"), isDoubtful { return false }
            previous = byte
        }
        return previous != UInt8(ascii: "/")
    }

    var components: [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
    }

    private static func joined(_ parts: ArraySlice<ArraySlice<UInt8>>) -> [UInt8] {
        Array(parts.joined(separator: [UInt8(ascii: "/")]))
    }

    /// The working folder when it was first needed; empty if it is unknown.
    private static let workingFolder: FilePath = {
        guard let path = unsafe getcwd(nil, 0) else { return FilePath("") }
        defer { unsafe free(path) }
        return FilePath(unsafe String(cString: path))
    }()
}

extension FilePath {
    /// The most links in a row to follow; the limit of the kernel.
    static let linksLimit = 40

    /// The absolute path without links at which the file is or would be created. The target of a
    /// dangling link counts, and missing folders keep their names.
    package var place: FilePath { absolute.place(linksLeft: Self.linksLimit) }

    private func place(linksLeft: Int) -> FilePath {
        if let resolved { return resolved }
        let path = withoutTrailingSlashes
        guard path != path.folder else { return path }
        if linksLeft > 0, let target = path.linkText {
            return path.folder.appending(target).place(linksLeft: linksLeft - 1)
        }
        return path.folder.place(linksLeft: linksLeft)
            .appending(FilePath(bytes: Array(path.lastComponent)))
    }

    /// The path that a symbolic link contains; nil for anything else.
    private var linkText: FilePath? {
        guard !bytes.contains(0) else { return nil }
        let path = bytes.map { CChar(bitPattern: $0) } + [0]
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &text, text.count)
        guard count > 0 else { return nil }
        return FilePath(bytes: text[..<count].map { UInt8(bitPattern: $0) })
    }
}

extension FilePath {
    /// The final target of a link; nil for anything else, and for a dangling link.
    package var linkTarget: FilePath? {
        let kind = try? SystemCalls.facts(of: self, followLinks: false).kind
        return kind == .link ? resolved : nil
    }

    /// The absolute path without links; nil if nothing exists there.
    package var resolved: FilePath? {
        guard !bytes.contains(0) else { return nil }
        var text = bytes.map { CChar(bitPattern: $0) }
        text.append(0)
        guard let found = unsafe realpath(text, nil) else { return nil }
        defer { unsafe free(found) }
        return FilePath(unsafe String(cString: found))
    }
}

/// A cache of resolved folders.
///
/// If the parent of a folder is known, only the last component is resolved, which costs a quarter
/// of a full resolution. The number of entries is bounded.
package struct ResolvedFolders: Sendable {
    private static let limit = 4096
    private var known: [FilePath: FilePath?] = [:]

    package init() {}

    /// Returns the absolute path of the folder without links; nil if it does not exist.
    package mutating func resolve(_ folder: FilePath) -> FilePath? {
        if let path = known[folder] { return path }
        let path = lookUp(folder)
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        known[folder] = .some(path)
        return path
    }

    private mutating func lookUp(_ folder: FilePath) -> FilePath? {
        let name = FilePath(bytes: Array(folder.lastComponent))
        let isPlain = !name.bytes.isEmpty && name != FilePath(".") && name != FilePath("..")
        guard isPlain, folder.folder.bytes.count < folder.bytes.count else {
            return folder.resolved
        }
        let kind = try? SystemCalls.facts(of: folder, followLinks: false).kind
        if kind == .link { return folder.resolved }
        guard kind == .folder else { return nil }
        return resolve(folder.folder)?.appending(name)
    }
}
