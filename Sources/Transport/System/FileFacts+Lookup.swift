import Glibc

extension FileFacts {
    /// What stands at a path, links followed; `nil` where nothing can be found.
    package static func at(_ path: FilePath) -> FileFacts? {
        do throws(Errno) {
            return try SystemCalls.facts(of: path, followLinks: true)
        } catch {
            return nil
        }
    }

    /// The folder at `path`, or the nearest one above it that exists.
    package static func nearestFolder(to path: FilePath) -> FilePath {
        var candidate = path.withoutTrailingSlashes
        while at(candidate)?.kind != .folder {
            let above = candidate.folder
            guard above != candidate, !above.bytes.isEmpty else { return FilePath(".") }
            candidate = above
        }
        return candidate
    }

    /// What stands where the folder at `path`, or one above it, would have to be made.
    package static func obstacle(to path: FilePath) -> OutletError? {
        var candidate = path.withoutTrailingSlashes
        while true {
            if let facts = at(candidate) {
                guard facts.kind != .folder else { return nil }
                return .inTheWay(path: candidate.description, what: facts.kind)
            }
            let above = candidate.folder
            guard above != candidate, !above.bytes.isEmpty else { return nil }
            candidate = above
        }
    }

    /// The bytes that may still be written where the folder at `path` lies.
    package static func freeBytes(at path: FilePath) -> Int? {
        var room = statvfs()
        guard unsafe statvfs("\(path)", &room) == 0 else { return nil }
        let (bytes, overflow) = Int(clamping: room.f_bavail)
            .multipliedReportingOverflow(by: Int(clamping: room.f_frsize))
        return overflow ? nil : bytes
    }
}
