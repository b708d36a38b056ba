import Transport

/// Finds sources that a page may show on demand: files that lie, as the page itself does, below
/// the folder the run was started in, so that the page can name them without telling of anything
/// above it.
package struct ReportSources: Sendable {
    /// From the page up to the folder of the run.
    private let way: String
    /// Folders that sources may be named from, seen from the folder of the run.
    private let bases: [[Substring]]

    /// Nil where the page lies elsewhere: it would have to tell the names of folders of the machine.
    ///
    /// `folders` are those of lists, folders of pictures, and `.` for what was named one by one.
    package init?(page folder: String, folders: [String]) {
        guard let names = Self.parts(of: folder) else { return nil }
        way = String(repeating: "../", count: names.count)
        bases = folders.compactMap(Self.parts)
    }

    /// Where the page finds a source of so many bytes, as an address relative to it; nil for what
    /// is no local file or is not as it was.
    func address(of source: String, bytes: Int) -> String? {
        guard !source.contains("\0") else { return nil }
        for base in bases {
            guard let parts = Self.parts(of: source, below: base), !parts.isEmpty else { continue }
            let path = parts.joined(separator: "/")
            guard let facts = FileFacts.at(FilePath(path)), facts.kind == .file,
                facts.size == bytes
            else { continue }
            return way + ReportPicture.encoded(path)
        }
        return nil
    }

    /// The parts of a path without detours; nil for one that is absolute or leads out of the folder.
    private static func parts(of path: String) -> [Substring]? { parts(of: path, below: []) }

    private static func parts(of path: String, below base: [Substring]) -> [Substring]? {
        guard !path.hasPrefix("/") else { return nil }
        var parts = base
        for part in path.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(part)
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return parts
    }
}
