import Artwork
import Engine
import Notation
import Raster
import Render
import Theming
import Transport

/// The options in the manifest: those that can change an output or an error class, in a fixed
/// order, and never a path of the machine.
package struct OptionsRecord: Sendable {
    /// Divides the recorded member `layout` into layouts and the heights of `--height`.
    static func sizes(in layout: JSON?) -> (layouts: [JSON], heights: [JSON]) {
        let names = layout?.elements ?? []
        func isHeight(_ name: JSON) -> Bool { name.stringValue.flatMap { Int($0) } != nil }
        return (names.filter { !isHeight($0) }, names.filter(isHeight))
    }

    private let settings: RunSettings
    private let nameTemplate: String?
    /// Empty if there are only plain files in OUT.
    private let targets: [TargetRecord]

    package init(
        _ settings: RunSettings, nameTemplate: String?,
        targets: [TargetRecord] = []
    ) {
        self.settings = settings
        self.nameTemplate = nameTemplate
        self.targets = targets
    }

    init(_ settings: RunSettings, _ outlet: Outlet) {
        self.init(
            settings, nameTemplate: outlet.templateText, targets: outlet.targetRecords)
    }

    package func write(into json: inout JSONWriter) {
        json.object("options") { json in writeMembers(into: &json) }
    }

    var json: JSON {
        var json = JSONWriter()
        json.object { json in writeMembers(into: &json) }
        return JournalLine.json(of: json.bytes[...]) ?? .null
    }

    /// The options that affect the outputs of a source, as one text.
    var lookText: String {
        var json = JSONWriter()
        json.object { json in writeLook(into: &json) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func writeMembers(into json: inout JSONWriter) {
        writeLook(into: &json)
        writeNetwork(into: &json)
        // Only EmblemKit changes the limit.
        if settings.renderTimeout != RunSettings.usualRenderTimeout {
            json.member("render_timeout", JSONNumber.seconds(settings.renderTimeout))
        }
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
        for option in Recipe.options where option.isOfOutputs {
            guard option.member == "format", !settings.formats.isEmpty else {
                option.write(recipe, into: &json)
                continue
            }
            json.array(option.member) { json in
                for format in settings.formats { json.write(format) }
            }
        }
        if !targets.isEmpty {
            json.array("target") { json in
                for target in targets { target.write(into: &json) }
            }
        }
        if let nameTemplate { json.member("name", nameTemplate) }
        json.member("max_bytes", settings.bytesLimit)
        for option in Recipe.options where !option.isOfOutputs {
            option.write(recipe, into: &json)
        }
        json.member("remote_only", settings.remoteOnly)
    }

    /// Writes only the names of headers and whether there is a proxy: their values may be secrets,
    /// or belong to the machine.
    private func writeNetwork(into json: inout JSONWriter) {
        let network = settings.network
        json.member("timeout", JSONNumber.seconds(network.timeout))
        json.member("item_timeout", JSONNumber.seconds(network.itemTimeout))
        json.member("retries", network.retries)
        json.member("allow_private", network.allowPrivate)
        json.member("offline", network.isOffline)
        json.member("user_agent", network.userAgent)
        json.array("headers") { json in
            for header in network.headers { json.write(header.name) }
        }
        json.member("proxy", network.proxy != nil)
    }
}

extension LookOption {
    /// Whether the record lists the option before the options about names and sources.
    fileprivate var isOfOutputs: Bool { !isLimit }

    fileprivate func write(_ recipe: Recipe, into json: inout JSONWriter) {
        if let value = record(recipe) { json.member(member, value) }
    }
}

extension JSONNumber {
    fileprivate static func seconds(_ duration: Duration) -> JSON {
        JSON.number(ofScale: duration / .seconds(1))
    }
}
