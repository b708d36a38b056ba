import Flags
import Render

/// The commands of the tool as data; ``CommandTable`` lists them.
package enum CommandDeclarations {
    /// The options of the look, which `batch` and the `render` commands share.
    static let look = flags(.size, .fit, .colors, .failures).flatMap { flag in
        flag == Options.appearance.flag ? [flag, Options.theme.flag] : [flag]
    }

    /// The options for storing images, except the format.
    static let form = flags(.form).filter { $0.name != Options.format.flag.name }

    /// Returns the options of the look that belong to these topics, in the order of the help.
    static func flags(_ topics: LookOption.Topic...) -> [Flag] {
        LookOption.all.filter { topics.contains($0.topic) }.map { Flag($0) }
    }

    /// The time limits of an item, and its retries.
    static let timeouts = [
        Options.timeout.flag, Options.itemTimeout.flag, Options.retries.flag,
    ]

    static let network = [
        Options.connections.flag, Options.perHost.flag, Options.rate.flag, Options.header.flag,
        Options.proxy.flag, Options.cache.flag, Options.offline.flag, Options.allowPrivate.flag,
        Options.maskURLs.flag,
    ]

    static let configuration = [Options.config.flag]
}
