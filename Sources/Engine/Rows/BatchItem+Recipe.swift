import Artwork
import Notation
import Raster
import Render
import Theming
import Transport

extension BatchItem {
    /// The run's recipe with what the item's row asks for instead.
    ///
    /// - Throws: a failure of class `bad_row` when the row names a layout, appearance or mode that
    ///   does not exist, or when the row itself cannot be used.
    package func recipe(in settings: RunSettings) throws(ItemFailure) -> Recipe {
        if let problem {
            throw ItemFailure(badRow: "\(problem)")
        }
        var recipe = settings.recipe
        if let layout, !layout.isEmpty {
            recipe.variants = settings.variants(
                of: try Self.layouts(layout, of: settings.component))
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
        if let badge, !badge.isEmpty {
            let corner = recipe.badge?.corner ?? settings.badgeCorner
            recipe.badge = try Self.badge(badge).map { BadgeMark($0, corner: corner) }
        }
        return recipe
    }

    /// The badge of a row; nil if it shall wear none.
    private static func badge(_ text: String) throws(ItemFailure) -> Badge? {
        guard text != "none" else { return nil }
        do throws(BadgeFault) {
            return try Badge(argument: text)
        } catch {
            throw ItemFailure(badRow: "badge: \(error)")
        }
    }

    /// The file that the row names as its placeholder; `nil` when it names none, or may not.
    package func placeholderPath(remoteOnly: Bool) -> FilePath? {
        guard let placeholder, !placeholder.isEmpty, !remoteOnly else { return nil }
        do throws(ItemFailure) {
            guard try Self.placeholder(placeholder) == nil else { return nil }
            return folder.appending(FilePath(placeholder))
        } catch {
            return nil
        }
    }

    /// One layout, several with commas or spaces between them, or `all`; in the given order.
    private static func layouts(
        _ text: String, of component: Component
    ) throws(ItemFailure) -> [ComponentLayout] {
        if text == "all" { return component.layouts }
        var layouts: [ComponentLayout] = []
        for name in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard let layout = component.layout(named: String(name)) else {
                let known = component.layouts.map(\.name).joined(separator: ", ")
                throw ItemFailure(
                    badRow: "layout: \(component.phrase) has no \(quoted(String(name))); it has "
                        + "\(known) and all")
            }
            if !layouts.contains(layout) { layouts.append(layout) }
        }
        return layouts
    }

    private static func value<Value: RawRepresentable<String> & CaseIterable>(
        _ text: String, of column: String
    ) throws(ItemFailure) -> Value {
        guard let value = Value(rawValue: text) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw ItemFailure(
                badRow: "\(column): there is no \(quoted(text)); there are \(known)")
        }
        return value
    }

    /// A value as it may stand in a message.
    private static func quoted(_ text: String) -> String {
        "\"" + PrintableText.escaped(text, limit: 60) + "\""
    }

    /// The placeholder in words; `nil` when the text is the path of a file.
    private static func placeholder(_ text: String) throws(ItemFailure) -> PlaceholderChoice? {
        switch text {
        case "none": return PlaceholderChoice.none
        case "initials": return .initials
        default:
            if let initials = Initials(placeholder: text) { return .letters(initials) }
            guard text.hasPrefix("icon:") else { return nil }
            return .icon(try value(String(text.dropFirst(5)), of: "placeholder"))
        }
    }
}

extension ItemFailure {
    /// Of a row that cannot be used: which column, what stands there, and what may.
    init(badRow reason: String) {
        self.init(.badRow, stage: .plan, detail: reason)
    }
}
