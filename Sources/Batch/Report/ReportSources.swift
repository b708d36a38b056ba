import Transport

/// Finds sources that a page may show on demand: files below the folder where the run was started.
/// The page must be there too, so that its URLs reveal nothing above that folder.
package struct ReportSources: Sendable {
    private let pathToRunFolder: String
    /// The folders that sources may be relative to, seen from the run's folder.
    private let bases: [[Substring]]

    /// Nil if the page is outside the run's folder, because its URLs would reveal names of other
    /// folders.
    ///
    /// `folders` has the folders of lists and pictures, and `.` for single files.
    package init?(page folder: String, folders: [String]) {
        guard let names = Self.parts(of: folder) else { return nil }
        pathToRunFolder = String(repeating: "../", count: names.count)
        bases = folders.compactMap(Self.parts)
    }

    /// Returns the relative URL of a source; nil if it is not a local file or its size changed.
    func address(of source: String, bytes: Int) -> String? {
        guard !source.contains("\0") else { return nil }
        for base in bases {
            guard let parts = Self.parts(of: source, below: base), !parts.isEmpty else { continue }
            let path = parts.joined(separator: "/")
            guard let facts = FileFacts.at(FilePath(path)), facts.kind == .file,
                facts.size == bytes
            else { continue }
            return pathToRunFolder + ReportPicture.encoded(path)
        }
        return nil
    }

    /// Returns the normalised parts of a path; nil if it is absolute or leaves the folder.
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
