import Artwork
import Codecs
import Digest
import Engine
import Notation
import Raster
import Render
import Theming
import Transport

/// The options as the manifest states them: exactly those that can change an output or the class
/// of an error, never a path of the machine, and always in one order.
package struct OptionsRecord: Sendable {
    private let settings: RunSettings
    private let nameTemplate: String?

    package init(_ settings: RunSettings, nameTemplate: String?) {
        self.settings = settings
        self.nameTemplate = nameTemplate
    }

    /// Writes the member `options`.
    package func write(into json: inout JSONWriter) {
        json.object("options") { json in writeMembers(into: &json) }
    }

    /// The members as one value.
    var json: JSON {
        var json = JSONWriter()
        json.object { json in writeMembers(into: &json) }
        return JournalLine.json(of: json.bytes[...]) ?? .null
    }

    /// The options that decide what becomes of the bytes of a source, as one text.
    var lookText: String {
        var json = JSONWriter()
        json.object { json in writeLook(into: &json) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func writeMembers(into json: inout JSONWriter) {
        writeLook(into: &json)
        Self.write(settings.network, into: &json)
        json.member("render_timeout", JSONNumber.seconds(settings.renderTimeout))
    }

    private func writeLook(into json: inout JSONWriter) {
        let recipe = settings.recipe
        json.member("component", settings.component.rawValue)
        json.array("layout") { json in
            for layout in settings.layouts { json.write(layout.name) }
        }
        json.array("scale") { json in
            for scale in settings.scales { json.write(JSON.number(ofScale: scale)) }
        }
        json.array("scheme") { json in
            for scheme in settings.schemes { json.write(scheme.rawValue) }
        }
        json.member("mode", recipe.mode.rawValue)
        json.member("appearance", recipe.appearance.rawValue)
        json.member("padding", JSON.number(ofScale: recipe.paddingPoints))
        json.member("border", JSON.number(ofScale: recipe.borderPoints))
        json.member("width", recipe.width.rawValue)
        json.member("corner", recipe.corner.rawValue)
        json.member("tint", recipe.tint.rawValue)
        json.member("upscale", recipe.upscale ? "always" : "never")
        json.member("linear", recipe.linear)
        if let mark = recipe.badge { json.member("badge", mark.badge.argument) }
        let corner = recipe.badge?.corner ?? settings.badgeCorner
        if recipe.badge != nil || corner != .topRight {
            json.member("badge_corner", corner.rawValue)
        }
        json.member("placeholder", Self.text(of: recipe.placeholder))
        json.member("format", Self.text(of: recipe.output))
        if recipe.output.canBe(where: \.canBeLossy), let quality = recipe.quality {
            json.member("quality", Self.json(of: quality))
        }
        json.member("palette", recipe.palette && recipe.output.canBe { $0 == .png })
        if recipe.output.canBe(where: { !$0.hasAlpha }), let matte = recipe.matte {
            json.member("matte", matte.hex)
        }
        if let nameTemplate { json.member("name", nameTemplate) }
        json.member("max_bytes", settings.bytesLimit)
        json.member("max_pixels", recipe.limits.pixels)
        json.member("allow_truncated", recipe.allowTruncated)
        json.member("codecs", recipe.codecs.rawValue)
        json.member("remote_only", settings.remoteOnly)
    }

    /// Of headers only the names are told, and of a proxy only that there is one: their values may
    /// be secrets, or belong to the machine.
    private static func write(_ network: NetworkSettings, into json: inout JSONWriter) {
        json.member("timeout", JSONNumber.seconds(network.timeout))
        json.member("item_timeout", JSONNumber.seconds(network.itemTimeout))
        json.member("retries", network.retries)
        json.member("max_redirects", network.redirects)
        json.member("allow_private", network.allowPrivate)
        json.member("offline", network.isOffline)
        json.member("respect_optout", network.respectsOptOut)
        json.member("user_agent", network.userAgent)
        json.array("headers") { json in
            for header in network.headers { json.write(header.name) }
        }
        json.member("netrc", network.readsNetrc)
        json.member("cacert", network.certificates != nil)
        json.member("proxy", network.proxy != nil)
    }

    private static func text(of choice: OutputChoice) -> String {
        switch choice {
        case .fixed(let format): format.name
        case .same: "same"
        }
    }

    private static func json(of quality: EncodeQuality) -> JSON {
        switch quality {
        case .lossy(let value): .number(JSONNumber(value))
        case .lossless: .string("lossless")
        }
    }

    /// A file is named by its bytes, since its path belongs to the machine.
    private static func text(of choice: PlaceholderChoice) -> String {
        switch choice {
        case .icon(let icon): "icon:\(icon.rawValue)"
        case .initials: "initials"
        case .letters(let initials): "initials:\(initials.text)"
        case .none: "none"
        case .picture(_, let bytes): "sha256:\(SHA256.hash(bytes.span).hex)"
        }
    }
}

extension JSONNumber {
    fileprivate static func seconds(_ duration: Duration) -> JSON {
        JSON.number(ofScale: duration / .seconds(1))
    }
}

extension OutputChoice {
    /// Some output may be stored in a format of this kind, so that the options of the kind matter.
    fileprivate func canBe(where isOfKind: (OutputFormat) -> Bool) -> Bool {
        switch self {
        case .fixed(let format): isOfKind(format)
        case .same: OutputFormat.allCases.contains(where: isOfKind)
        }
    }
}
