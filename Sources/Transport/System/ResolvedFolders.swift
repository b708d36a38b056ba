/// Where folders lead to in the end, remembered.
///
/// Of a folder whose parent is known only its own name is looked at, which costs a quarter of going the
/// whole way; what is kept is bounded.
package struct ResolvedFolders: Sendable {
    private static let limit = 4096
    private var known: [FilePath: FilePath?] = [:]

    package init() {}

    /// The folder from the root on and without a link on the way; nil where there is none.
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
        do throws(Errno) {
            let kind = try SystemCalls.facts(of: folder, followLinks: false).kind
            if kind == .link { return folder.resolved }
            guard kind == .folder else { return nil }
        } catch {
            return nil
        }
        return resolve(folder.folder)?.appending(name)
    }
}
