import Artwork
import Gauge
import Notation
import Raster
import Render
import Theming
import Transport

/// An item of a run: its source, and the columns of its row. Sources may contain passwords; texts
/// that are copied to records unchanged are masked here.
package struct BatchItem: Sendable {
    /// The index in the whole list.
    package let index: Int
    /// The base name of its output files. Items that share output files have the same name. For a
    /// file in an input folder, it includes the subfolders.
    package var name = ""
    /// The names in targets that restrict file names, by the kind of target.
    package var otherNames: [String: String] = [:]
    /// The source as the list or the command line names it. For a file in an input folder, the path
    /// of the folder and the path in it.
    package let source: String
    /// The line of the row in its list.
    package let line: Int?
    /// The number of the row in its list, 1 for the first.
    package var row: Int?
    /// The path of its list, as the user gave it.
    package let list: String?
    /// The folder that relative paths in the row are resolved against.
    package let folder: FilePath
    package let label: String?
    package let hint: String?
    package let value: String?
    package let look: LookColumns
    /// Fallback sources, in the order in which they are tried.
    package let alternatives: [String]
    /// The dark twin, whose source the dark outputs show, as an array of at most one item. Empty if
    /// the item has no twin; nil if twins are not in use.
    package var dark: [BatchItem]?
    package let extra: [JSON.Member]
    /// Whether the path is used byte for byte, as in lists whose sources end with NUL.
    private let isVerbatim: Bool
    /// The image, if it came with the row.
    package var picture: GivenPicture?
    /// A recipe that the caller has determined; nil to apply the row to the recipe of the run.
    package var settledRecipe: Recipe?
    package let problem: RowProblem?
    /// The index of the earlier item whose output files this item shares; nil if it has its own.
    package var sharesFilesWith: Int?
    package let givenID: String?
    private let origin: Origin

    private enum Origin: Sendable {
        case argument
        /// The path of the file, and its path relative to the folder.
        case folder(FilePath, found: FilePath)
        case row
    }

    package var id: String { givenID ?? name }

    package init(index: Int = 0, argument: String, label: String? = nil) {
        self.init(index: index, source: argument, origin: .argument, label: label)
    }

    package init(index: Int, folder: FilePath, found path: FilePath) {
        let whole = folder.withoutTrailingSlashes.appending(path)
        self.init(
            index: index, source: whole.description, origin: .folder(whole, found: path))
    }

    /// Creates an item of a folder with the path of its dark twin, if it has one.
    package init(index: Int, folder: FilePath, found path: FilePath, dark: FilePath?) {
        self.init(index: index, folder: folder, found: path)
        self.dark = dark.map { [BatchItem(index: index, folder: folder, found: $0)] } ?? []
    }

    package init(index: Int, row: ListRow, of list: ListFile) {
        self.init(
            index: index, source: row.source ?? "", origin: .row,
            row: row, list: list.name, folder: list.folder)
    }

    /// Creates an item from a row without a list; relative paths start in `folder`.
    package init(
        index: Int, row: ListRow, in folder: FilePath = FilePath(""), picture: GivenPicture? = nil
    ) {
        self.init(
            index: index, source: row.source ?? "", origin: .row, row: row,
            folder: folder)
        self.picture = picture
    }

    private init(
        index: Int, source: String, origin: Origin, row: ListRow? = nil, list: String? = nil,
        folder: FilePath = FilePath(""), label: String? = nil
    ) {
        self.index = index
        self.source = source
        self.origin = origin
        self.list = list
        self.folder = folder
        line = row?.line
        givenID = row?.id.map { SourceMask.inside(text: $0) }
        self.label = (row?.label ?? label).map { SourceMask.inside(text: $0) }
        hint = row?.hint.map { SourceMask.inside(text: $0) }
        value = row?.value.map { SourceMask.inside(text: $0) }
        look = row?.look ?? LookColumns()
        alternatives = row?.alternatives ?? []
        extra = row?.extra.map(Self.masked) ?? []
        problem = row?.problem
        isVerbatim = row?.isVerbatim ?? false
        guard let row, let sources = row.dark else { return }
        guard let first = sources.first else {
            dark = []
            return
        }
        var twin = ListRow(line: row.line, offset: 0)
        twin.source = first
        twin.alternatives = Array(sources.dropFirst())
        dark = [
            BatchItem(index: index, source: first, origin: origin, row: twin, folder: folder)
        ]
    }

    package var darkSources: [String] {
        (dark ?? []).flatMap { [$0.source] + $0.alternatives }
    }

    package var placeholder: String? { look[.placeholder] }

    /// Masks passwords in an unknown column, or in a second source column.
    private static func masked(_ member: JSON.Member) -> JSON.Member {
        let isSource = ["url", "source"].contains(member.name.lowercased())
        guard isSource, case .string(let text) = member.value else {
            return JSON.Member(member.name, member.value.masked)
        }
        return JSON.Member(member.name, .string(SourceMask().shown(text)))
    }

    package func reference(remoteOnly: Bool) throws(ItemFailure) -> SourceReference {
        if picture != nil { return SourceReference(text: source, kind: .given) }
        return switch origin {
        case .argument: try .argument(source)
        case .folder(let path, _): SourceReference(text: source, kind: .file(path))
        case .row:
            try .listed(
                source, in: folder, remoteOnly: remoteOnly, verbatim: isVerbatim)
        }
    }

    /// Whether the item comes from a row of a list or stream, or from a program.
    package var isRow: Bool {
        if case .row = origin { true } else { false }
    }

    /// The path relative to the input folder in which the file was found.
    package var pathInFolder: FilePath? {
        if case .folder(_, let found) = origin { found } else { nil }
    }

    /// The source in a normal form: a path relative to its list or folder if it is below it,
    /// otherwise relative to the working folder; a URL as listed.
    package var plainSource: String {
        plainSource(knownReference(remoteOnly: false)?.kind)
    }

    package func plainSource(_ kind: SourceReference.Kind?) -> String {
        if let found = pathInFolder { return found.description }
        guard case .file(let path) = kind else { return source }
        if isRow {
            let listed = FilePath(
                isVerbatim ? source : source.withoutBlanks)
            let below = !listed.isAbsolute ? listed.normalised : path.below(folder)
            return (below ?? path.normalised).text
        }
        return path.normalised.text
    }

    /// Parses the source; nil if it is not valid.
    package func knownReference(remoteOnly: Bool) -> SourceReference? {
        try? reference(remoteOnly: remoteOnly)
    }

    /// Returns the valid alternatives in order. An invalid alternative does not fail the item.
    package func alternativeReferences(remoteOnly: Bool) -> [SourceReference] {
        alternatives.compactMap { text in
            try? SourceReference.listed(text, in: folder, remoteOnly: remoteOnly)
        }
    }
}

/// An image that came with the row, so that its source is not loaded.
package enum GivenPicture: Sendable {
    case bytes([UInt8])
    /// The image exceeds the size limit, and its bytes were skipped.
    case tooLarge
    /// The image is loaded when the item is processed.
    case held(by: any GivenSource)
}

extension JSON {
    fileprivate var masked: JSON {
        switch self {
        case .string(let text): .string(SourceMask.inside(text: text))
        case .array(let values): .array(values.map(\.masked))
        case .object(let members):
            .object(members.map { JSON.Member($0.name, $0.value.masked) })
        case .null, .bool, .number: self
        }
    }
}

extension BatchItem {
    /// Returns the recipe of the run with the changes by the row of the item.
    ///
    /// - Throws: A failure of class `bad_row` if the row names an unknown layout, appearance or
    ///   mode, or if the row itself cannot be used.
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
                of: try Self.layouts(layout, among: settings.rowLayouts, settings.component))
        }
        for (option, column) in Self.lookColumns {
            guard let text = look[column], !text.isEmpty else { continue }
            try Self.edit(with: text, option)?(&recipe)
        }
        // The layouts of the run were checked before the run started.
        if look[.layout] != nil, let (variant, most) = recipe.variantTooTight(in: settings.theme) {
            throw ItemFailure(
                badRow: "layout: \(variant.layout.name) allows at most "
                    + "\(JSON.number(ofScale: most).text) points of --padding and --border")
        }
        if look[.layout] != nil, let reason = settings.refusal?(recipe) {
            throw ItemFailure(badRow: "layout: \(reason)")
        }
        return recipe
    }

    private static let lookColumns: [(LookOption, ListColumn)] = ListColumn.look.compactMap {
        column in
        Recipe.options.first { $0.isColumn && $0.name == column.rawValue }.map { ($0, column) }
    }

    /// Returns the change that the text of a column makes to a recipe; nil if the text is the path
    /// of a file.
    private static func edit(
        with text: String, _ option: LookOption
    ) throws(ItemFailure) -> LookOption.Edit? {
        if text == "none", let clear = option.clear { return clear }
        if let problem = option.problem(text) {
            throw ItemFailure(
                badRow: problem.words.isEmpty
                    ? "\(option.name): \(problem.message)"
                    : unknown(problem.word, in: option.name, among: problem.words))
        }
        if option.path == \Recipe.placeholder, case .picture? = PlaceholderChoice(spelling: text) {
            return nil
        }
        return option.edit(text)
    }

    /// The file that the row names as its placeholder; `nil` if it names none, or if only remote
    /// sources are allowed.
    package func placeholderPath(remoteOnly: Bool) -> FilePath? {
        guard let placeholder, !remoteOnly,
            case .picture(let path, _)? = PlaceholderChoice(spelling: placeholder)
        else { return nil }
        return folder.appending(FilePath(path))
    }

    /// Parses one layout, several separated by commas or spaces, or `all`; keeps the given order.
    private static func layouts(
        _ text: String, among possible: [ComponentLayout], _ component: Component
    ) throws(ItemFailure) -> [ComponentLayout] {
        if text == "all" { return component.layouts }
        var layouts: [ComponentLayout] = []
        for name in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard let layout = possible.first(where: { $0.name == name }) else {
                let known = possible.map(\.name).joined(separator: ", ")
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

    private static func quoted(_ text: String) -> String {
        "\"" + PrintableText.escaped(text, limit: 60) + "\""
    }
}

extension ItemFailure {
    init(badRow reason: String) {
        self.init(.badRow, stage: .plan, detail: reason)
    }
}
