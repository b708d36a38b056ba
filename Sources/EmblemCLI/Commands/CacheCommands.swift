import Console
import Flags
import Notation
import System
import Transport

/// `emblem cache [clear]`: the cache of HTTP responses.
enum CacheCommand {
    static func run(_ context: CommandContext) throws -> Int32 {
        if !context.arguments.operands.isEmpty { return try clear(context) }
        guard let folder = try NetworkArguments(context).cacheFolder else {
            throw CommandFailure(
                66,
                "there is no cache: --cache is none, or HOME is not set. Name a folder with --cache"
            )
        }
        let content = try existingCache(context)?.content() ?? CacheFolder.Content()
        try context.output.write(FilePath(folder).absolute.bytes + [0x0A])
        try context.output.write("\(text(of: content))\n")
        return 0
    }

    private static func clear(_ context: CommandContext) throws -> Int32 {
        let removed: CacheFolder.Content
        do {
            removed = try existingCache(context)?.clear() ?? CacheFolder.Content()
        } catch let cause as Errno {
            throw CommandFailure(
                74,
                "cannot remove every entry of the cache: \(cause). Check the permissions of the folder "
                    + "that 'emblem cache' prints.")
        }
        if !context.arguments[Options.quiet] {
            context.messages.line("removed \(text(of: removed))", .note)
        }
        return 0
    }

    private static func text(of content: CacheFolder.Content) -> String {
        "\(Counted(content.entries, "entry", many: "entries")), \(Counted(content.bytes, "byte"))"
    }

    /// Returns the cache that the options name; nil if it does not exist or caching is off.
    private static func existingCache(_ context: CommandContext) throws -> CacheFolder? {
        guard let folder = try NetworkArguments(context).cacheFolder else { return nil }
        let shown = PrintableText.escaped(folder)
        let found = try rethrowing(CacheFolder.detect(at: folder)) { (error: Errno) in
            CommandFailure(74, "cannot open the cache folder \(shown): \(error)")
        }
        switch found {
        case .nothing: return nil
        case .cache(let cache): return cache
        case .other:
            throw context.arguments.error(
                Options.cache, "\(shown) is not a cache of emblem.",
                remedy: "Check the path; 'emblem cache' prints the default folder.")
        }
    }
}
