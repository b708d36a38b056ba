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
        return resolved
    }

    /// Where the path leads to in the end, from the root on and without a link on the way; nil where
    /// nothing is there.
    package var resolved: FilePath? {
        guard !bytes.contains(0) else { return nil }
        var text = bytes.map { CChar(bitPattern: $0) }
        text.append(0)
        guard let found = unsafe realpath(text, nil) else { return nil }
        defer { unsafe free(found) }
        return FilePath(unsafe String(cString: found))
    }
}
