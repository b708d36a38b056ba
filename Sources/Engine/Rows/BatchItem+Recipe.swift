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
        if let settledRecipe { return settledRecipe }
        if isRow, case .icon(let name)? = knownReference(remoteOnly: settings.remoteOnly)?.kind,
            BuiltInIcon(rawValue: name) == nil
        {
            throw ItemFailure(
                badRow: Self.unknown(
                    name, in: "source", among: BuiltInIcon.allCases.map(\.rawValue)))
        }
        var recipe = settings.recipe
        if let layout = look[.layout], !layout.isEmpty {
            recipe.variants = settings.variants(
                of: try Self.layouts(layout, of: settings.component))
        }
        for (option, column) in Self.lookColumns {
            guard let text = look[column], !text.isEmpty else { continue }
            try Self.edit(with: text, option)?(&recipe)
        }
        // The run's own layouts were looked at before it began.
        if look[.layout] != nil, let (variant, most) = recipe.variantTooTight(in: settings.theme) {
            throw ItemFailure(
                badRow: "layout: \(variant.layout.name) allows at most "
                    + "\(JSON.number(ofScale: most).text) points of --padding and --border")
        }
        return recipe
    }

    /// The options that rows may set, and where they say so.
    private static let lookColumns: [(LookOption, ListColumn)] = ListColumn.look.compactMap {
        column in
        LookOption.all.first { $0.isColumn && $0.name == column.rawValue }.map { ($0, column) }
    }

    /// What a text of the column says; nil where it is the path of a file.
    private static func edit(
        with text: String, _ option: LookOption
    ) throws(ItemFailure) -> LookOption.Edit? {
        if text == "none", let clear = option.clear { return clear }
        do throws(LookFault) {
            switch try option.read(text) {
            case .value(let edit): return edit
            case .file: return nil
            }
        } catch {
            switch error {
            case .meaningless:
                let words = option.kind.words
                throw ItemFailure(
                    badRow: words.isEmpty
                        ? "\(option.name): \(quoted(text)) is not \(option.kind.wanted)"
                        : unknown(text, in: option.name, among: words))
            case .badge(let fault): throw ItemFailure(badRow: "\(option.name): \(fault)")
            case .placeholder(.unknownIcon(let name)):
                throw ItemFailure(
                    badRow: unknown(
                        name, in: option.name, among: BuiltInIcon.allCases.map(\.rawValue)))
            // A row has always been free to call its file like that.
            case .placeholder(.noLetters), .placeholder(.nothing): return nil
            }
        }
    }

    /// The file that the row names as its placeholder; `nil` when it names none, or may not.
    package func placeholderPath(remoteOnly: Bool) -> FilePath? {
        guard let placeholder, !placeholder.isEmpty, !remoteOnly else { return nil }
        do throws(ItemFailure) {
            guard try Self.edit(with: placeholder, .of(\.placeholder)) == nil else { return nil }
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
                    badRow: "unknown layout \(quoted(String(name))) for \(component.phrase); use "
                        + "\(known) or all")
            }
            if !layouts.contains(layout) { layouts.append(layout) }
        }
        return layouts
    }

    private static func unknown(
        _ text: String, in column: String, among words: [String]
    ) -> String {
        "\(column): unknown value \(quoted(text)); use \(words.joined(separator: ", "))"
    }

    /// A value as it may stand in a message.
    private static func quoted(_ text: String) -> String {
        "\"" + PrintableText.escaped(text, limit: 60) + "\""
    }
}

extension ItemFailure {
    /// Of a row that cannot be used: which column, what stands there, and what may.
    init(badRow reason: String) {
        self.init(.badRow, stage: .plan, detail: reason)
    }
}
