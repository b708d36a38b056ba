import Engine
import Notation
import Render
import Theming
import Transport

/// The options in the run record of a manifest, from which the outputs can be made again.
package struct RecordedOptions: Sendable {
    /// The tool that made the set, with its version.
    package let tool: String
    /// The SHA-256 of the theme, in hexadecimal digits.
    package let themeDigest: String
    private let options: JSON
    private let targets: [JSON]

    package init?(_ run: JSON) {
        guard run["type"]?.stringValue == "run", let tool = run["tool"]?.stringValue,
            let theme = run["theme_sha256"]?.stringValue, let options = run["options"],
            options.members != nil
        else { return nil }
        self.tool = tool
        themeDigest = theme
        self.options = options
        targets = options["target"]?.elements ?? []
    }

    /// Returns the settings of the run, with those of each look of its recipe.
    ///
    /// - Parameter read: Returns the settings for arguments of `emblem stream`.
    package func settings(
        reading read: ([String]) throws -> RunSettings
    ) throws -> RunSettings {
        var settings = try read(words(of: options))
        apply(to: &settings)
        return settings
    }

    /// Returns options as arguments of `emblem stream`. A placeholder file is left out, because the
    /// record has only its digest.
    ///
    /// - Parameter look: The options of a look; those that it lacks are the same for all looks.
    private func words(of look: JSON) -> [String] {
        var words: [String] = []
        func add(_ name: String, _ value: JSON?) {
            switch value {
            case .bool(true): words.append("--\(name)")
            case .string(let text): words.append("--\(name)=\(text)")
            case .number(let number): words.append("--\(name)=\(number.text)")
            case .array(let values):
                let texts = values.map { $0.stringValue ?? $0.text }
                words.append("--\(name)=\(texts.joined(separator: ","))")
            default: break
            }
        }
        add("component", options["component"])
        let sizes = OptionsRecord.sizes(in: look["layout"])
        if !sizes.layouts.isEmpty { add("layout", .array(sizes.layouts)) }
        if !sizes.heights.isEmpty { add("height", .array(sizes.heights)) }
        add("scale", look["scale"])
        let schemes = look["scheme"]?.elements ?? []
        add("scheme", schemes.count == 2 ? "both" : schemes.first)
        for option in LookOption.recorded
        where option.path != \Recipe.look && option.path != \Recipe.output {
            if option.path == \Recipe.placeholder, hasPlaceholderFile { continue }
            add(option.name, look[option.member] ?? options[option.member])
        }
        let format = targets.first?["format"]?.elements?.first ?? look["format"]
        add(LookOption.of(\.output).name, format)
        for member in ["max_bytes", "remote_only", "user_agent", "allow_private"] {
            add(member.replacing("_", with: "-"), options[member])
        }
        return words
    }

    package var hasPlaceholderFile: Bool {
        options["placeholder"]?.stringValue?.hasPrefix("sha256:") == true
    }

    /// Sets the scales and formats of every target. The arguments in `words` cannot express them,
    /// because a stream has no targets.
    private func apply(to settings: inout RunSettings) {
        guard !targets.isEmpty else { return }
        settings.sets = targets.map { target in
            PictureSet(
                scales: (target["scale"]?.elements ?? []).compactMap(\.doubleValue),
                formats: (target["format"]?.elements ?? []).compactMap { format in
                    guard let name = format.stringValue,
                        case .fixed(let fixed)? = OutputChoice(named: name)
                    else { return nil }
                    return fixed
                })
        }
        settings.scales = Set(settings.sets.flatMap(\.scales)).sorted()
        settings.recipe.variants = settings.variants(of: settings.layouts)
    }

    /// Returns why `settings` would make other outputs; nil if they are those of the record.
    package func difference(from settings: RunSettings) -> String? {
        let text = OptionsRecord(settings, nameTemplate: nil).lookText
        guard let now = JournalLine.json(of: Array(text.utf8)[...]) else { return nil }
        // Names do not change the bytes of outputs, and `apply` sets the scales and formats of
        // targets.
        let aside = ["look", "name", "prefix", "target"] + (targets.isEmpty ? [] : ["format"])
        let known = Set((now.members ?? []).map(\.name) + LookOption.recorded.map(\.member))
            .subtracting(aside)
        func part(_ json: JSON) -> JSON {
            .object((json.members ?? []).filter { known.contains($0.name) })
        }
        if let change = OptionChange.words(from: part(options), to: part(now)) { return change }
        guard settings.theme.digest != themeDigest else { return nil }
        return "the theme had the hash \(PrintableText.escaped(themeDigest, limit: 12))… and now "
            + "has \(settings.theme.digest.prefix(12))…"
    }

    /// Returns whether the set in `folder` was made by another version of the tool or of a library;
    /// nil if the folder has no journal, which alone records the libraries.
    package func isOfOtherVersion(in folder: FilePath) -> Bool? {
        guard tool == ToolVersion.text else { return true }
        do throws(OutletError) {
            guard let run = try RunHistory.existing(in: OutputFolder(folder))?.run else {
                return nil
            }
            return run.libraries != RunIdentity.libraries
        } catch {
            return nil
        }
    }
}
