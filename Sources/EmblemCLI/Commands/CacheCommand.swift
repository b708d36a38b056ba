import Console
import Flags
import Notation
import System
import Transport

extension CommandContext {
    /// `emblem cache [clear]`: the cache of HTTP responses.
    func cache() throws -> Int32 {
        if !arguments.operands.isEmpty { return try clearCache() }
        guard let folder = try cacheFolder else {
            throw CommandFailure(
                66,
                "there is no cache: --cache is none, or HOME is not set. Name a folder with --cache"
            )
        }
        let content = try existingCache()?.content() ?? ResponseCache.Content()
        try output.write(FilePath(folder).absolute.bytes + [0x0A])
        try output.write("\(text(of: content))\n")
        return 0
    }

    private func clearCache() throws -> Int32 {
        let removed: ResponseCache.Content
        do {
            removed = try existingCache()?.clear() ?? ResponseCache.Content()
        } catch let cause as Errno {
            throw CommandFailure(
                74,
                "cannot remove every entry of the cache: \(cause). Check the permissions of the folder "
                    + "that 'emblem cache' prints.")
        }
        if !arguments[Options.quiet] { note("removed \(text(of: removed))") }
        return 0
    }

    private func text(of content: ResponseCache.Content) -> String {
        "\(Counted(content.entries, "entry", many: "entries")), \(Counted(content.bytes, "byte"))"
    }

    /// Returns the cache that the options name; nil if it does not exist or caching is off.
    private func existingCache() throws -> ResponseCache? {
        guard let folder = try cacheFolder else { return nil }
        let shown = PrintableText.escaped(folder)
        let found = try rethrowing(ResponseCache.detect(at: folder)) { (error: Errno) in
            CommandFailure(74, "cannot open the cache folder \(shown): \(error)")
        }
        switch found {
        case .nothing: return nil
        case .cache(let cache): return cache
        case .other:
            throw arguments.error(
                Options.cache, "\(shown) is not a cache of emblem.",
                remedy: "Check the path; 'emblem cache' prints the default folder.")
        }
    }
}
