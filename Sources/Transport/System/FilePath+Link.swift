import Glibc

extension FilePath {
    /// What a link leads to in the end; nil for anything else, and for a link that leads nowhere.
    package var linkTarget: FilePath? {
        do throws(Errno) {
            guard try SystemCalls.facts(of: self, followLinks: false).kind == .link else {
                return nil
            }
        } catch {
            return nil
        }
        guard let found = unsafe realpath(description, nil) else { return nil }
        defer { unsafe free(found) }
        return FilePath(unsafe String(cString: found))
    }
}
