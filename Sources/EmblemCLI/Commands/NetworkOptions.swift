import Batch
import Engine
import Flags
import Notation
import Render
import Transport

/// The network options, which `batch`, `stream` and `render` share.
extension CommandContext {
    func networkSettings() throws -> NetworkSettings {
        var settings = NetworkSettings()
        arguments.apply(to: &settings)
        settings.headers = try arguments[Options.header].flatMap(headers)
        settings.userAgent = "emblem/\(ToolVersion.number)"
        // Other headers do not follow a redirect to another host.
        if let agent = settings.headers.lastIndex(where: { $0.name.lowercased() == "user-agent" }) {
            settings.userAgent = settings.headers.remove(at: agent).value
        }
        settings.buckets = Buckets(variable: ProcessEnvironment.value(of:))
        settings.certificates = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        settings.cache = try cacheFolder.map { folder in
            try cache(in: folder, isNeeded: settings.isOffline)
        }
        if settings.isOffline, settings.cache == nil {
            throw arguments.error(
                NetworkSettings.option(\.isOffline), "--offline needs a cache.",
                remedy: "Name a folder with '--cache DIR', or remove --offline.")
        }
        return settings
    }

    var mask: SourceMask { SourceMask(hidesQueries: arguments[Options.maskURLs]) }

    // MARK: Headers

    /// Returns the path in a value of `--header` such as `@FILE`; nil for a header line.
    static func headerFile(_ text: String) -> String? {
        text.hasPrefix("@") ? String(text.dropFirst()) : nil
    }

    /// Returns the header of a value of `--header`, or the headers in its file. The messages do not
    /// contain a header line, since its value may be a secret.
    private func headers(_ text: String) throws -> [NetworkHeader] {
        guard let path = Self.headerFile(text) else {
            guard let header = NetworkHeader(line: text) else {
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
        let bytes = try read(path, option: "--header", bytesLimit: 64 << 10)
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

    // MARK: The cache

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
                try arguments.checkPlace(Options.cache, FilePath(folder))
                return folder
            case nil:
                // The XDG standard says that relative paths must be ignored.
                if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") {
                    return base + "/emblem"
                }
                if let home = environment["HOME"], home.hasPrefix("/") {
                    return home + "/.cache/emblem"
                }
                return nil
            }
        }
    }

    /// Returns the settings of a cache. A folder that cannot be used ends the run only if the cache
    /// is needed (`--offline`); otherwise the run warns and continues without a cache.
    private func cache(in folder: String, isNeeded: Bool) throws -> CacheSettings {
        var cache = CacheSettings(folder: folder)
        let name = PrintableText.escaped(folder)
        guard isNeeded else {
            cache.onObstacle = { cause in
                warn(
                    "the cache folder \(name) cannot be used: \(cause). This run continues without a "
                        + "cache; name another folder with --cache, or write --cache none")
            }
            return cache
        }
        if !arguments.isOn(Options.dryRun), let cause = cache.obstacle {
            throw CommandFailure(
                73,
                "--offline: the cache folder \(name) cannot be used: \(cause); name another folder "
                    + "with --cache, or remove --offline")
        }
        return cache
    }
}
