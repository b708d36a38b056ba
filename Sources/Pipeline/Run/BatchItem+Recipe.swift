import Artwork
import Notation
import Raster
import Render
import Theming
import Transport

extension BatchItem {
    /// The run's recipe with what the item's row asks for instead.
    ///
    /// - Throws: a failure of class `bad_url` when the row names a layout, appearance or mode that
    ///   does not exist, or when the row itself cannot be used.
    func recipe(in settings: RunSettings) throws(ItemFailure) -> Recipe {
        if let problem {
            throw ItemFailure(.badURL, stage: .plan, detail: "\(problem)")
        }
        var recipe = settings.recipe
        if let layout, !layout.isEmpty {
            recipe.variants = settings.variants(of: try Self.layouts(layout))
        }
        if let appearance, !appearance.isEmpty {
            recipe.appearance = try Self.value(appearance, of: "appearance")
        }
        if let mode, !mode.isEmpty {
            recipe.mode = try Self.value(mode, of: "mode")
        }
        if let placeholder, !placeholder.isEmpty {
            recipe.placeholder = try Self.placeholder(placeholder) ?? recipe.placeholder
        }
        return recipe
    }

    /// The file that the row names as its placeholder; `nil` when it names none, or may not.
    func placeholderPath(remoteOnly: Bool) -> FilePath? {
        guard let placeholder, !placeholder.isEmpty, !remoteOnly else { return nil }
        do throws(ItemFailure) {
            guard try Self.placeholder(placeholder) == nil else { return nil }
            return folder.appending(FilePath(placeholder))
        } catch {
            return nil
        }
    }

    /// One layout, several with commas or spaces between them, or `all`; in the given order.
    private static func layouts(_ text: String) throws(ItemFailure) -> [EmblemLayout] {
        if text == "all" { return EmblemLayout.allCases }
        var layouts: [EmblemLayout] = []
        for name in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            let layout: EmblemLayout = try value(String(name), of: "layout")
            if !layouts.contains(layout) { layouts.append(layout) }
        }
        return layouts
    }

    private static func value<Value: RawRepresentable<String>>(
        _ text: String, of column: String
    ) throws(ItemFailure) -> Value {
        guard let value = Value(rawValue: text) else {
            throw ItemFailure(.badURL, stage: .plan, detail: "there is no \(column) \(text)")
        }
        return value
    }

    /// The placeholder in words; `nil` when the text is the path of a file.
    private static func placeholder(_ text: String) throws(ItemFailure) -> PlaceholderChoice? {
        switch text {
        case "none": return PlaceholderChoice.none
        case "initials": return .initials
        default:
            guard text.hasPrefix("icon:") else { return nil }
            return .icon(try value(String(text.dropFirst(5)), of: "icon"))
        }
    }
}
