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

    package var isLink: Bool { linkText != nil }

    /// Every link on the way to what the path leads to, and that itself in the end; nothing where
    /// there is no link.
    package var linkPlaces: [FilePath] {
        var places: [FilePath] = []
        var reached = FilePath(isAbsolute ? "/" : ".")
        var ahead = Array(components.reversed())
        while let name = ahead.popLast() {
            let next = reached.appending(FilePath(bytes: Array(name)))
            guard !name.elementsEqual("..".utf8), let target = next.linkText else {
                reached = next
                continue
            }
            guard places.count < Self.linksLimit else { return places }
            places.append(next)
            if target.isAbsolute { reached = FilePath("/") }
            ahead += target.components.reversed()
        }
        return places.isEmpty ? [] : places + [reached]
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
