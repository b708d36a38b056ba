import Codecs
import Digest
import Engine
import Notation
import Render
import Theming
import Transport

/// The identity of a run: an interrupted run is continued by the next run with an equal identity.
package struct RunIdentity: Sendable {
    static let schema = "emblem.journal/5"

    let tool: String
    let options: JSON
    let themeDigest: String
    /// A digest of the codec versions, the drawing code and the fonts.
    let libraries: String
    /// The number of items in the whole plan, and a digest of their rows.
    let rows: Int
    let rowsDigest: String
    /// The number of items that the run covers.
    let count: Int
    /// Whether the run keeps what succeeded without a request (`--only-failures`).
    let onlyFailures: Bool

    init(_ settings: RunSettings, outlet: Outlet, plan: BatchPlan, indices: Range<Int>) {
        tool = ToolVersion.text
        options = OptionsRecord(settings, outlet).json
        themeDigest = settings.theme.digest
        libraries = Self.libraries
        rows = plan.count
        rowsDigest = Hexadecimal.text(plan.rowsDigest)
        count = indices.count
        onlyFailures = settings.onlyFailures
    }

    /// Returns a digest of the options that affect the outputs of all items.
    package static func lookDigest(
        _ settings: RunSettings, nameTemplate: String?
    ) -> Digest256 {
        lookDigest(OptionsRecord(settings, nameTemplate: nameTemplate), settings)
    }

    static func lookDigest(_ options: OptionsRecord, _ settings: RunSettings) -> Digest256 {
        var parts = [ToolVersion.text, options.lookText, settings.theme.digest, libraries]
        // The manifest has the file name of a placeholder, while the options have only its bytes.
        if case .picture(let name, _) = settings.recipe.placeholder { parts.append(name) }
        return SHA256.hash(parts.joined(separator: "\n"))
    }

    static let libraries: String = {
        let fonts: String
        do throws(FontError) {
            fonts = try FontCache.digest()
        } catch {
            fonts = "\(error)"
        }
        let versions = CodecLibrary.all.map { library in
            "\(library.name) \(library.version) \(library.fileMark ?? "")"
        }
        let engine = "engine \(Renderer.revision)"
        return SHA256.hash((versions + [engine, fonts]).joined(separator: "\n")).prefixHex(16)
    }()
}

extension RunIdentity {
    func write(into json: inout JSONWriter) {
        json.member("schema", Self.schema)
        json.member("tool", tool)
        json.member("options", options)
        json.member("theme_sha256", themeDigest)
        json.member("libraries", libraries)
        json.member("rows", rows)
        json.member("rows_digest", rowsDigest)
        json.member("count", count)
        if onlyFailures { json.member("only_failures", true) }
    }

    init?(_ json: JSON) {
        guard json["schema"]?.stringValue == Self.schema, let tool = json["tool"]?.stringValue,
            let options = json["options"], let theme = json["theme_sha256"]?.stringValue,
            let libraries = json["libraries"]?.stringValue, let rows = json["rows"]?.intValue,
            let rowsDigest = json["rows_digest"]?.stringValue,
            let count = json["count"]?.intValue
        else { return nil }
        self.tool = tool
        self.options = options
        themeDigest = theme
        self.libraries = libraries
        self.rows = rows
        self.rowsDigest = rowsDigest
        self.count = count
        onlyFailures = json["only_failures"]?.boolValue == true
    }
}

extension RunIdentity {
    /// Returns whether this run has the list and the options of `begun`.
    func equals(_ begun: RunIdentity) -> Bool {
        guard tool == begun.tool, libraries == begun.libraries, themeDigest == begun.themeDigest,
            optionChange(from: begun) == nil
        else { return false }
        return rows == begun.rows && rowsDigest == begun.rowsDigest && count == begun.count
    }

    /// Returns how the component of the set in the folder differs from this run's; nil if it is the
    /// same.
    func otherSet(than begun: RunIdentity) -> String? {
        let (now, before) = (
            options["component"]?.stringValue, begun.options["component"]?.stringValue
        )
        if let now, let before, now != before {
            return "it has \(before)s, and this run makes \(now)s"
        }
        return nil
    }

    /// Returns the option that differs from the run in the folder; nil if none does.
    func change(since begun: RunIdentity) -> String? {
        if let option = optionChange(from: begun) { return option }
        return themeDigest == begun.themeDigest ? nil : "the theme changed"
    }

    private func optionChange(from begun: RunIdentity) -> String? {
        OptionChange.words(from: begun.options, to: options)
    }

}

enum OptionChange {
    /// Returns the first difference, with the value before and now; nil if there is none.
    static func words(from before: JSON, to now: JSON) -> String? {
        all(from: before, to: now).first
    }

    /// Returns every difference, with the value before and now.
    static func all(from before: JSON, to now: JSON) -> [String] {
        // Targets change the defaults of other options, so they come first.
        let names = ["target"] + ((now.members ?? []) + (before.members ?? [])).map(\.name)
        let (before, now) = (before.table, now.table)
        var known: Set<String> = []
        let differing = names.filter { before[$0] != now[$0] && known.insert($0).inserted }
        return differing.map { name in
            if name == "target", let words = targetWords(from: before[name], to: now[name]) {
                return words
            }
            if name == "layout" { return sizeWords(from: before[name], to: now[name]) }
            let flag = name == "headers" ? "header" : name.replacing("_", with: "-")
            return "--\(flag) was \(text(of: before[name])) and is now \(text(of: now[name]))"
        }
    }

    /// Returns the difference of the sizes: the record lists the layouts and the heights of
    /// `--height` together.
    private static func sizeWords(from before: JSON?, to now: JSON?) -> String {
        let (old, new) = (OptionsRecord.sizes(in: before), OptionsRecord.sizes(in: now))
        let sizes = [
            ("layout", old.layouts, new.layouts), ("height", old.heights, new.heights),
        ]
        return sizes.filter { $0.1 != $0.2 }.map { name, old, new in
            "--\(name) was \(text(of: .array(old))) and is now \(text(of: .array(new)))"
        }.joined(separator: ", ")
    }

    /// Returns the difference of one target; nil if the list of targets itself differs.
    private static func targetWords(from before: JSON?, to now: JSON?) -> String? {
        let (olds, news) = (before?.elements ?? [], now?.elements ?? [])
        guard olds.map({ $0["target"] }) == news.map({ $0["target"] }) else { return nil }
        for (old, new) in zip(olds, news) where old != new {
            let kind = text(of: old["target"])
            for option in ["scale", "format"] where old[option] != new[option] {
                return "--\(option) for \(kind) was \(text(of: old[option])) and is now "
                    + text(of: new[option])
            }
            return
                "the folder of --target \(kind) was \(folder(of: old)) and is now "
                + "\(folder(of: new))"
        }
        return nil
    }

    /// Returns the folder of a target in words. The record does not have the path of a folder
    /// outside OUT.
    private static func folder(of target: JSON) -> String {
        guard target["elsewhere"]?.boolValue != true else { return "a folder outside OUT" }
        return target["folder"].map { "OUT/\(text(of: $0))" } ?? "OUT"
    }

    /// Formats a value as it would be typed.
    private static func text(of value: JSON?) -> String {
        switch value {
        case nil: "not given"
        case .string(let text): PrintableText.escaped(text)
        case .array(let elements):
            elements.isEmpty ? "not given" : elements.map { text(of: $0) }.joined(separator: ",")
        case .object: value?["target"].map { text(of: $0) } ?? ""
        case .bool(let isOn): isOn ? "on" : "off"
        case .some(let other): other.text
        }
    }
}

extension JSON {
    /// The members of an object by name; the first one of duplicates.
    var table: [String: JSON] {
        Dictionary((members ?? []).map { ($0.name, $0.value) }) { first, _ in first }
    }
}
