/// A list that was loaded from a URL into a scratch file.
package struct FetchedList: Sendable {
    /// The limit of bytes of a list as a server sends it, since it is held in memory.
    package static let bytesLimit = 256 << 20

    /// The URL as the user gave it.
    package let url: String
    let file: SharedDescriptor

    package init(
        _ url: String, _ bytes: Span<UInt8>, scratch folder: FilePath
    ) throws(ListError) {
        self.url = url
        let scratch = try ListError.wrap(Self.name(of: url), ListError.Reason.scratch) {
            () throws(Errno) in
            let scratch = try ScratchFile(in: folder)
            try scratch.write(bytes, at: 0)
            return scratch
        }
        file = scratch.shared
    }

    /// Whether the name of a list is a URL that can be loaded.
    package static func isURL(_ name: String) -> Bool {
        guard let parts = URLGrammar.parts(of: name), parts.hasSlashes else { return false }
        return ["http", "https", "s3", "gs"].contains(parts.scheme)
    }

    /// Returns the URL without user, query and fragment, which may be secret: the name of the list
    /// in messages, whose extension is that of the list. The key of an object in a bucket may
    /// contain any character, so it stays.
    package static func name(of url: String) -> String {
        guard let parts = URLGrammar.parts(of: url), parts.scheme.hasPrefix("http") else {
            return url
        }
        let path = url[parts.authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        return "\(parts.scheme)://\(Substring(parts.host))\(path)"
    }
}
