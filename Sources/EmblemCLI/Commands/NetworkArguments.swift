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
        settings.redirects = arguments[Options.maxRedirects]
        settings.allowPrivate = arguments[Options.allowPrivate]
        settings.headers = try headers()
        settings.buckets = BucketArguments(home: environment["HOME"]).buckets()
        settings.readsNetrc = try netrc()
        settings.certificates = try certificatesFile()
        settings.proxy = try proxy()
        settings.userAgent = try userAgent()
        settings.respectsOptOut = arguments[Options.respectOptOut]
        settings.cache = try cache()
        settings.stale = arguments[Options.stale]
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

    private func headers() throws -> [NetworkHeader] {
        var headers: [NetworkHeader] = []
        for line in arguments[Options.header] {
            guard let header = NetworkHeader(line: line) else {
                // The value may be a secret, so the message does not contain it.
                throw arguments.error(
                    Options.header, "A header line is invalid.",
                    remedy: "Write it as 'Name: value'.")
            }
            guard !header.isOfTransfer else {
                throw arguments.error(
                    Options.header, "The header \(header.name) is set by emblem itself.",
                    remedy: "Remove it.")
            }
            headers.append(header)
        }
        if let path = arguments[Options.headerFile] { headers += try lines(in: path) }
        return headers
    }

    private func lines(in path: String) throws(CommandFailure) -> [NetworkHeader] {
        let bytes = try NamedFile.read(path, option: "--header-file", bytesLimit: 64 << 10)
        var headers: [NetworkHeader] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            var text = String(decoding: line, as: UTF8.self)
            if text.hasSuffix("\r") { text.removeLast() }
            if text.isEmpty || text.hasPrefix("#") { continue }
            guard let header = NetworkHeader(line: text) else {
                throw CommandFailure(
                    65, "--header-file \(path): line \(index + 1) is not of the form 'Name: value'")
            }
            guard !header.isOfTransfer else {
                throw CommandFailure(
                    65,
                    "--header-file \(path): the header in line \(index + 1) is set by emblem "
                        + "itself; remove it")
            }
            headers.append(header)
        }
        return headers
    }

    /// Returns whether to use the passwords in `~/.netrc`. The file must exist if the option was
    /// typed.
    private func netrc() throws -> Bool {
        guard arguments[Options.netrc] else { return false }
        if arguments.isTyped(Options.netrc.flag), let home = environment["HOME"], !home.isEmpty {
            _ = try NamedFile.read(home + "/.netrc", option: "--netrc", bytesLimit: 1 << 20)
        }
        return true
    }

    private func certificatesFile() throws(CommandFailure) -> String? {
        guard let path = arguments[Options.cacert] else { return nil }
        let bytes = try NamedFile.read(path, option: "--cacert", bytesLimit: 64 << 20)
        // OpenSSL writes these headings, with or without additional text.
        let heads = ["CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE"]
        guard heads.contains(where: { bytes.contains("-----BEGIN \($0)-----".utf8) }) else {
            throw CommandFailure(
                65,
                "--cacert \(path) has no PEM certificate, which starts with -----BEGIN "
                    + "CERTIFICATE-----")
        }
        return path
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

    private func userAgent() throws -> String {
        guard let text = arguments[Options.userAgent] else {
            return "emblem/\(ToolVersion.number)"
        }
        guard let header = NetworkHeader("User-Agent", text), !header.value.isEmpty else {
            throw arguments.error(
                Options.userAgent, "The value is empty or holds a control character.",
                remedy: "Give a name and a contact address.")
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
        try cacheFolder.map { try cache(in: $0, arguments[Options.cacheSize]) }
    }

    /// Checks that the cache can be opened. A failure ends the run only with `--offline`, which
    /// needs the cache; otherwise the run warns and continues without one.
    private func cache(in folder: String, _ size: Int) throws -> CacheSettings {
        var cache = CacheSettings(folder: folder, bytesLimit: size)
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
