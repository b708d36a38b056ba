import Artwork
import Batch
import Console
import Engine
import Flags
import Gauge
import Notation
import Render
import Targets
import Theming
import Transport

/// `emblem batch`: checks and plans everything before the first byte of an image is read.
struct BatchCommand {
    let context: CommandContext
    let settings: RunSettings
    let destination: FilePath
    /// The output targets with their folders.
    let spots: [TargetSpot]
    /// The lint kinds that make the run exit with 1 (`--fail-on`).
    let lintThatFails: [String]

    static func run(_ context: CommandContext) async throws -> Int32 {
        let command: BatchCommand
        do {
            command = try BatchCommand(context)
        } catch let error as any ExitCoded where error.exitCode == 66 {
            try checkLists(context)
            throw error
        }
        try await context.checkPlaceholder(of: command.settings)
        if context.arguments[Options.dryRun] {
            return try DryRun(command: command, plan: try command.plan()).run()
        }
        let opened = command.openExisting()
        return try await command.run(command.plan(), into: opened)
    }

    /// Reads and checks the options, without reading lists or sources.
    init(_ context: CommandContext) throws {
        self.context = context
        let arguments = context.arguments
        try Self.checkInputs(arguments)
        destination = try arguments.requiredFolder(Options.folder)
        lintThatFails = try arguments.lintThatFails()
        let targets = try TargetArguments(arguments, out: destination)
        settings = try RunSettings(context, targets.choices)
        spots = try targets.spots(settings)
        try checkDestinations()
    }

    /// Checks before any work that the output folders and the files of options such as `--depfile`
    /// can be written.
    private func checkDestinations() throws {
        if let obstacle = FileFacts.obstacle(to: destination) {
            throw obstacle
        }
        for case .elsewhere(let folder) in spots.map(\.site) {
            if let obstacle = FileFacts.obstacle(to: folder) { throw obstacle }
        }
        try SideFiles(self).check()
    }

    /// The files that the run reads besides images: lists and files that options name.
    var ownFiles: [FilePath] {
        var files = lists.filter { $0 != "-" }
        files += [context.arguments[Options.theme]].compactMap(\.self)
        files += context.arguments[Options.header].compactMap(NetworkArguments.headerFile)
        if case .picture = settings.recipe.placeholder,
            let placeholder = context.arguments.texts(Options.placeholder.flag).last
        {
            files.append(placeholder)
        }
        return files.map { FilePath($0) }
    }

    /// The configuration file of this run, even if it does not exist; nil with `--config none`.
    var configurationFile: FilePath? {
        let name = context.arguments[Options.config] ?? WorkingDirectory.configurationName
        return name == "none" ? nil : FilePath(name)
    }

    /// The folders that are searched for images recursively.
    var folders: [FilePath] {
        let outputs = Set([FileFacts.at(destination)?.identity].compactMap { $0 } + otherOutputs)
        return context.arguments.operands.flatMap { text -> [FilePath] in
            let folder = FilePath(text)
            guard FileFacts.at(folder)?.kind == .folder else { return [] }
            let below = try? FolderWalk.folders(below: folder, leavingOut: outputs)
            return below?.map { folder.withoutTrailingSlashes.appending($0) } ?? [folder]
        }
    }

    /// Reads the lists and folders once, and determines the names of all outputs.
    func plan() throws -> BatchPlan {
        let arguments = context.arguments
        var inputs = arguments.operands.map { PlanInput.source($0) }
        inputs += Self.listInputs(arguments)
        guard !inputs.isEmpty else {
            throw UsageError(
                "No input is given.",
                remedy: "Name files or folders, or a list with '--list FILE'.")
        }
        try checkInputs()
        let dialect = try Self.dialect(arguments)
        let places = OutputPlace.all(of: spots, out: destination, settings)
        var options = PlanOptions(
            remoteOnly: settings.remoteOnly,
            drawsLabels: settings.drawsLabels,
            dialect: dialect,
            output: FileFacts.at(destination)?.identity,
            otherOutputs: otherOutputs,
            places: places,
            ownFiles: ownFiles, targets: spots.map(\.target.kind))
        options.selection.excluded = arguments[Options.exclude].map { PathPattern($0) }
        options.selection.darkSuffix = try Self.darkSuffix(arguments)
        let plan = try BatchPlan(inputs, options: options)
        if let least = arguments[Options.minItems], plan.count < least {
            throw CommandFailure(
                65,
                "the inputs have only \(Counted(plan.count, "item")) (--min-items "
                    + "\(least)); nothing was written. Check the list, or choose a smaller "
                    + "number")
        }
        let name = plan.outputOverSource(indices(of: plan), in: settings, spots)
        if let name { throw overSource(name) }
        try SideFiles(self).check(plan, places)
        return plan
    }

    private static func darkSuffix(_ arguments: ParsedArguments) throws -> String? {
        guard let suffix = arguments[Options.darkSuffix] else { return nil }
        guard !suffix.isEmpty, !suffix.contains("/") else {
            throw UsageError(
                "--dark-suffix is empty or has a slash.",
                remedy: "Give the end of the names before the extension, as in _dark.")
        }
        return suffix
    }

    /// Returns the error for a planned output that would overwrite a source.
    ///
    /// - Parameter name: The name of the output.
    private func overSource(_ name: String) -> UsageError {
        let isElsewhere = spots.contains { spot in
            guard case .elsewhere(let folder) = spot.site else { return false }
            return name.hasPrefix(OutputPlace.prefix(of: folder))
        }
        let shown = isElsewhere ? name : "\(destination.appending(FilePath(name)))"
        return UsageError(
            "\(PrintableText.escaped(settings.mask.shown(shown))) is a source of this run and "
                + "would be overwritten by an emblem.",
            remedy: "Choose another folder with -o, or other names with --name.")
    }

    /// Refuses inputs that are all output folders. Among other inputs an output folder is skipped,
    /// but alone it was probably meant as the source.
    private func checkInputs() throws(UsageError) {
        let operands = context.arguments.operands
        guard lists.isEmpty, let first = operands.first else { return }
        let outputs = Set([FileFacts.at(destination)?.identity].compactMap { $0 } + otherOutputs)
        let isOutput = operands.allSatisfy { text in
            FileFacts.at(FilePath(text)).map { outputs.contains($0.identity) } ?? false
        }
        guard isOutput else { return }
        throw UsageError(
            "\(PrintableText.escaped(settings.mask.shown(first))) is both input and output.",
            remedy: "Choose another output folder with -o.")
    }

    /// The existing target folders outside the output folder.
    var otherOutputs: [FileIdentity] {
        spots.compactMap { spot in
            guard case .elsewhere(let folder) = spot.site else { return nil }
            return FileFacts.at(folder)?.identity
        }
    }

    /// Returns the indices of the items of this run, after `--limit`.
    func indices(of plan: BatchPlan) -> Range<Int> {
        0..<min(plan.count, context.arguments[Options.limit] ?? .max)
    }

    // MARK: Lists

    var lists: [String] { context.arguments[Options.list] }

    static func listInputs(_ arguments: ParsedArguments) -> [PlanInput] {
        arguments[Options.list].map { .list($0) }
    }

    /// Refuses an empty INPUT, which results from an unset variable in a script, and URLs of lists.
    static func checkInputs(_ arguments: ParsedArguments) throws(UsageError) {
        guard !arguments.operands.contains("") else {
            throw UsageError(
                "An INPUT is empty.",
                remedy: "Check the variables of the script, or remove the empty argument.")
        }
        for name in arguments[Options.list] {
            guard let scheme = SourceReference.scheme(of: name),
                name.dropFirst(scheme.utf8.count).hasPrefix("://"),
                FileFacts.at(FilePath(name)) == nil
            else { continue }
            let shown = PrintableText.escaped(SourceMask().shown(name), limit: 200)
            // A URL that is not shown in full cannot be typed again.
            let word = shown == name ? ShellWord.quoted(name) : "URL"
            throw arguments.error(
                Options.list, "--list takes a file or -, not the URL '\(shown)'.",
                remedy: scheme == "file"
                    ? "Write a path."
                    : "Type '\(scheme == "s3" ? "aws s3 cp \(word) -" : "curl -fsSL \(word)") | emblem "
                        + "batch --list - -o OUT'.")
        }
    }

    static func dialect(_ arguments: ParsedArguments) throws(UsageError) -> ListDialect {
        guard let text = arguments[Options.columns] else { return ListDialect() }
        do throws(ListDialect.Fault) {
            return try ListDialect(columns: text)
        } catch {
            throw arguments.error(Options.columns, "\(error)")
        }
    }

    /// Throws the error of a malformed list. It is called when an input file is missing, since the
    /// malformed list is reported first.
    static func checkLists(_ context: CommandContext) throws {
        let lists = listInputs(context.arguments).filter(\.isListFile)
        guard !lists.isEmpty else { return }
        let options = PlanOptions(dialect: try dialect(context.arguments))
        do throws(PlanError) {
            _ = try BatchPlan(lists, options: options)
        } catch {
            if error.exitCode == 65 { throw error }
        }
    }
}

extension PlanInput {
    /// Whether the list is a file. Standard input can be read only once.
    fileprivate var isListFile: Bool {
        if case .list(let name) = self { name != "-" } else { false }
    }
}

extension ParsedArguments {
    /// Returns the values of `--fail-on`: kinds of lint, or complete lint texts as in the manifest.
    func lintThatFails() throws(UsageError) -> [String] {
        var words: [String] = []
        for word in (self[Options.failOn] ?? "").split(separator: ",") {
            let word = String(word.drop { $0 == " " })
            // The word is a complete lint text, for example with a layout, or only a kind.
            guard PictureLint(text: word) != nil || PictureLint.Kind(rawValue: word) != nil else {
                let known = PictureLint.Kind.allCases.map(\.rawValue)
                let nearest = Spelling.nearest(to: word, among: known)
                throw error(
                    Options.failOn,
                    "Unknown lint '\(PrintableText.escaped(word, limit: 80))'.",
                    remedy: nearest.map { "Did you mean '\($0)'?" }
                        ?? "Use one of \(known.joined(separator: ", ")).")
            }
            words.append(word)
        }
        return words
    }
}
