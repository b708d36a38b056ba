import Batch
import Engine
import Flags
import Notation
import Transport

/// Reads the timeout and network options, which `batch` and `render` share.
struct NetworkArguments: Sendable {
    let arguments: ParsedArguments
    let environment: [String: String]
    let warn: @Sendable (String) -> Void

    init(_ context: CommandContext) {
        arguments = context.arguments
        environment = context.environment
        warn = { context.warn($0) }
    }

    func settings() throws -> NetworkSettings {
        var settings = NetworkSettings()
        settings.connections = arguments[Options.connections]
        settings.perHost = arguments[Options.perHost]
        settings.rate = try rate()
        settings.timeout = arguments[Options.timeout]
        settings.itemTimeout = itemTimeout
        settings.retries = arguments[Options.retries]
        settings.allowPrivate = arguments[Options.allowPrivate]
        settings.headers = try headers()
        settings.userAgent = "emblem/\(ToolVersion.number)"
        // Other headers do not follow a redirect to another host.
        if let agent = settings.headers.lastIndex(where: { $0.name.lowercased() == "user-agent" }) {
            settings.userAgent = settings.headers.remove(at: agent).value
        }
        settings.buckets = BucketArguments(home: environment["HOME"]).buckets()
        settings.certificates = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        settings.proxy = try proxy()
        settings.cache = try cache()
        settings.isOffline = arguments[Options.offline]
        if settings.isOffline, settings.cache == nil {
            throw arguments.error(
                Options.offline, "--offline needs a cache.",
                remedy: "Name a folder with '--cache DIR', or remove --offline.")
        }
        return settings
    }

    var itemTimeout: Duration { arguments[Options.itemTimeout] }

    var mask: SourceMask { SourceMask(hidesQueries: arguments[Options.maskURLs]) }

    private func rate() throws(UsageError) -> RequestRate? {
        guard let text = arguments[Options.rate] else { return nil }
        guard let rate = RequestRate(text) else {
            throw arguments.error(
                Options.rate, "'\(PrintableText.escaped(text))' is not a rate.",
                remedy: "Write N/s or N/m, with N from 1 to 10000, such as 10/s.")
        }
        return rate
    }

    /// Returns the path in a value of `--header` such as `@FILE`; nil for a header line.
    static func headerFile(_ text: String) -> String? {
        text.hasPrefix("@") ? String(text.dropFirst()) : nil
    }

    private func headers() throws -> [NetworkHeader] {
        try arguments[Options.header].flatMap { text in
            if let path = Self.headerFile(text) { return try headers(in: path) }
            guard let header = NetworkHeader(line: text) else {
                // The value may be a secret, so the message does not contain it.
                throw arguments.error(
                    Options.header, "A header line is invalid.",
                    remedy: "Write it as 'Name: value', or a file of such lines as @FILE.")
            }
            guard !header.isOfTransfer else {
                throw arguments.error(
                    Options.header, "The header \(header.name) is set by emblem itself.",
                    remedy: "Remove it.")
            }
            return [header]
        }
    }

    private func headers(in path: String) throws(CommandFailure) -> [NetworkHeader] {
        let bytes = try NamedFile.read(path, option: "--header", bytesLimit: 64 << 10)
        var headers: [NetworkHeader] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            var text = String(decoding: line, as: UTF8.self)
            if text.hasSuffix("\r") { text.removeLast() }
            if text.isEmpty || text.hasPrefix("#") { continue }
            guard let header = NetworkHeader(line: text) else {
                throw CommandFailure(
                    65, "--header @\(path): line \(index + 1) is not of the form 'Name: value'")
            }
            guard !header.isOfTransfer else {
                throw CommandFailure(
                    65,
                    "--header @\(path): the header in line \(index + 1) is set by emblem itself; "
                        + "remove it")
            }
            headers.append(header)
        }
        return headers
    }

    private func proxy() throws -> String? {
        guard let text = arguments[Options.proxy] else { return nil }
        let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
        guard let scheme = SourceReference.scheme(of: text), schemes.contains(scheme),
            text.utf8.count > scheme.utf8.count + 3,
            text.dropFirst(scheme.count).hasPrefix("://"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw arguments.error(
                Options.proxy, "The proxy is invalid.",
                remedy: "Write it as http://HOST:PORT; also \(schemes.joined(separator: ", ")).")
        }
        return text
    }

    /// The folder of `--cache`, or the default folder; nil for no cache.
    var cacheFolder: String? {
        get throws(UsageError) {
            switch arguments[Options.cache] {
            case "none": return nil
            case "":
                throw arguments.error(
                    Options.cache, "The name of the folder is empty.",
                    remedy: "Name a folder, or write none.")
            case let folder?:
                try arguments.checkPlace(Options.cache.flag, FilePath(folder))
                return folder
            case nil: return usualFolder
            }
        }
    }

    private func cache() throws -> CacheSettings? {
        try cacheFolder.map(cache)
    }

    /// Checks that the cache can be opened. A failure ends the run only with `--offline`, which
    /// needs the cache; otherwise the run warns and continues without one.
    private func cache(in folder: String) throws -> CacheSettings {
        var cache = CacheSettings(folder: folder)
        let name = PrintableText.escaped(folder)
        guard arguments[Options.offline] else {
            cache.onObstacle = { [warn] cause in
                warn(
                    "the cache folder \(name) cannot be used: \(cause). This run continues without a "
                        + "cache; name another folder with --cache, or write --cache none")
            }
            return cache
        }
        let isDry = arguments.has(Options.dryRun) && arguments[Options.dryRun]
        if !isDry, let cause = cache.obstacle {
            throw CommandFailure(
                73,
                "--offline: the cache folder \(name) cannot be used: \(cause); name another folder "
                    + "with --cache, or remove --offline")
        }
        return cache
    }

    /// The default cache folder; nil if the environment names neither a cache nor a home folder.
    private var usualFolder: String? {
        // The XDG standard says that relative paths must be ignored.
        if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") { return base + "/emblem" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.cache/emblem" }
        return nil
    }
}
