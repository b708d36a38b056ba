import Flags
import Render

/// The commands of the tool as data; ``CommandTable`` lists them.
package enum Declarations {
    /// The options of the look that a batch and a single emblem share.
    static let look = flags(.fit, .colors, .logos, .overlay).flatMap { flag in
        flag == Options.appearance.flag ? [flag, Options.theme.flag] : [flag]
    }

    /// How pictures are stored, besides their format.
    static let form = flags(.form).filter { $0.name != Options.format.flag.name }

    /// Returns the options of the look on some subjects.
    static func flags(_ topics: LookOption.Topic...) -> [Flag] {
        LookOption.all.filter { topics.contains($0.topic) }.map { Flag($0) }
    }

    /// How long a source may take, and how often it is tried.
    static let patience = [
        Options.timeout.flag, Options.itemTimeout.flag, Options.renderTimeout.flag,
        Options.retries.flag,
    ]

    /// The part of it that holds where nothing is fetched.
    static let graphicPatience = [Options.itemTimeout.flag, Options.renderTimeout.flag]

    /// How sources of the network are loaded.
    static let network = [
        Options.connections.flag, Options.perHost.flag, Options.rate.flag,
        Options.maxRedirects.flag, Options.header.flag, Options.headerFile.flag,
        Options.netrc.flag, Options.cacert.flag, Options.proxy.flag, Options.userAgent.flag,
        Options.cache.flag, Options.cacheSize.flag, Options.stale.flag, Options.offline.flag,
        Options.allowPrivate.flag, Options.respectOptOut.flag, Options.maskURLs.flag,
    ]

    /// Whether options come from a file too.
    static let configuration = [Options.config.flag, Options.noConfig.flag]

    /// Where pictures are decoded, and by whose code.
    static let decoding = [Options.sandbox.flag, Options.codecs.flag]
}
