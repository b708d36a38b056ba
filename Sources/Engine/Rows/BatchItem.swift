import Artwork
import Notation
import Raster
import Render
import Theming
import Transport

/// One item of a run with everything its row says. Its source alone may hold a password: texts that
/// go into records as they stand are without one from here on.
package struct BatchItem: Sendable {
    /// The place in the whole list, shards or not.
    package let index: Int
    /// What its files are called by; items with equal files have equal names. With a slash for each
    /// folder that a file was found in.
    package var name = ""
    /// The same for outputs that do not take every name, by what they are.
    package var otherNames: [String: String] = [:]
    /// The text that the run puts before every name; empty for none.
    package var namePrefix = ""
    /// As listed; for a file found in a folder, the folder as given and the path in it.
    package let source: String
    /// The row's line in its list.
    package let line: Int?
    /// The number of the row in its list, 1 for the first.
    package var row: Int?
    /// The list it stands in, as the user named it.
    package let list: String?
    /// Where relative paths in the row start.
    package let folder: FilePath
    package let label: String?
    package let hint: String?
    package let value: String?
    /// What the row says about the look.
    package let look: LookColumns
    /// More sources, to be tried in this order.
    package let alternatives: [String]
    package let extra: [JSON.Member]
    /// The path is taken byte for byte, as lists with NUL have it.
    private let isVerbatim: Bool
    /// The picture itself, where it came with the row.
    package var picture: GivenPicture?
    /// How it shall look, where that was settled without a row.
    package var settledRecipe: Recipe?
    /// Set if the row cannot be used.
    package let problem: RowProblem?
    /// The first item that has the same files, if that is another one.
    package var sharesFilesWith: Int?
    /// As its row has it.
    package let givenID: String?
    private let origin: Origin

    private enum Origin: Sendable {
        case argument
        /// The file, and the same as found below the folder.
        case folder(FilePath, found: FilePath)
        case list
    }

    /// As given, or else its name.
    package var id: String { givenID ?? name }

    /// A source given as an argument.
    package init(index: Int = 0, argument: String, label: String? = nil) {
        self.init(index: index, source: argument, origin: .argument, label: label)
    }

    /// A file found in a folder that was given as an argument.
    package init(index: Int, folder: FilePath, found path: FilePath) {
        let whole = folder.withoutTrailingSlashes.appending(path)
        self.init(
            index: index, source: whole.description, origin: .folder(whole, found: path))
    }

    /// A row of a list.
    package init(index: Int, row: ListRow, of list: ListFile) {
        self.init(
            index: index, source: row.source ?? "", origin: .list, row: row, list: list.name,
            folder: list.folder)
    }

    /// A row without a list, whose relative paths start in `folder`.
    package init(
        index: Int, row: ListRow, in folder: FilePath = FilePath(""), picture: GivenPicture? = nil
    ) {
        self.init(
            index: index, source: row.source ?? "", origin: .list, row: row, folder: folder)
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
    }

    /// Its own placeholder, as listed.
    package var placeholder: String? { look[.placeholder] }

    /// A column that nobody knows, or a second one of sources.
    private static func masked(_ member: JSON.Member) -> JSON.Member {
        let isSource = ["url", "source"].contains(member.name.lowercased())
        guard isSource, case .string(let text) = member.value else {
            return JSON.Member(member.name, member.value.masked)
        }
        return JSON.Member(member.name, .string(SourceMask().shown(text)))
    }

    /// What the source names.
    package func reference(remoteOnly: Bool) throws(IntakeError) -> SourceReference {
        if picture != nil { return SourceReference(text: source, kind: .given) }
        return switch origin {
        case .argument: try .argument(source)
        case .folder(let path, _): SourceReference(text: source, kind: .file(path))
        case .list:
            try .listed(source, in: folder, remoteOnly: remoteOnly, verbatim: isVerbatim)
        }
    }

    /// It came in a list, or by itself as the row of one.
    package var isRow: Bool {
        if case .list = origin { true } else { false }
    }

    /// The file below the folder that it was found in.
    package var pathInFolder: FilePath? {
        if case .folder(_, let found) = origin { found } else { nil }
    }

    /// The source as one text, however its path was typed: below its list or folder where it lies
    /// there, else below the working folder; a URL as listed.
    package var plainSource: String {
        plainSource(knownReference(remoteOnly: false)?.kind)
    }

    package func plainSource(_ kind: SourceReference.Kind?) -> String {
        if let found = pathInFolder { return found.description }
        guard case .file(let path) = kind else { return source }
        if case .list = origin {
            let listed = FilePath(
                isVerbatim ? source : String(SourceReference.withoutBlanks(source)))
            let below = !listed.isAbsolute ? listed.normalised : path.below(folder)
            return (below ?? path.normalised).text
        }
        return path.normalised.text
    }

    /// The same; nil for what cannot be used.
    package func knownReference(remoteOnly: Bool) -> SourceReference? {
        do throws(IntakeError) {
            return try reference(remoteOnly: remoteOnly)
        } catch {
            return nil
        }
    }

    /// The alternatives as sources, in order; those that are none of ours are left out.
    package func alternativeReferences(remoteOnly: Bool) -> [SourceReference] {
        var references: [SourceReference] = []
        for text in alternatives {
            do throws(IntakeError) {
                references.append(try .listed(text, in: folder, remoteOnly: remoteOnly))
            } catch {
                // An alternative that cannot be tried leaves the item where it was.
            }
        }
        return references
    }
}

/// A picture that came with its row.
package enum GivenPicture: Sendable {
    case bytes([UInt8])
    /// It has more bytes than are allowed, and was passed by.
    case tooLarge
    /// It is had from there when its turn comes.
    case held(by: any GivenSource)
}

extension JSON {
    /// The value without the passwords of the URLs in its texts.
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
