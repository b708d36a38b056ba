import Batch
import Flags
import Notation
import Transport

extension BatchCommand {
    /// The lists, in the order given.
    var lists: [String] { context.arguments[Options.list] }

    /// The same as what a plan is made of.
    static func listInputs(_ arguments: ParsedArguments) -> [PlanInput] {
        let format = arguments[Options.listFormat].flatMap { ListFormat(name: $0) }
        return arguments[Options.list].map { .list($0, format: format) }
    }

    /// The options that say how lists are written.
    static let listFlags = [
        Options.listFormat.flag, Options.delimiter.flag, Options.columns.flag,
        Options.noHeader.flag, Options.nullValues.flag, Options.encoding.flag, Options.null.flag,
    ]

    /// Refuses an empty INPUT, which an unset variable of a script becomes.
    static func checkOperands(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.operands.contains("") else { return }
        throw UsageError(
            "An INPUT is empty.",
            remedy: "Check the variables of the script, or remove the empty argument.")
    }

    /// How the lists are written.
    static func dialect(_ arguments: ParsedArguments) throws(UsageError) -> ListDialect {
        var dialect = ListDialect()
        /// Names the option that an error comes from.
        func read<Value>(_ key: FlagKey<Value>, _ body: () throws -> Void) throws(UsageError) {
            do { try body() } catch { throw arguments.error(key, "\(error)") }
        }
        try read(Options.columns) {
            if let text = arguments[Options.columns] { try dialect.setColumns(text) }
        }
        // A stream has no other option about the form of its rows.
        guard arguments.has(Options.delimiter) else { return dialect }
        dialect.endsWithNUL = arguments[Options.null]
        dialect.hasHeader = !arguments[Options.noHeader]
        dialect.encoding = arguments[Options.encoding].flatMap { ListEncoding(rawValue: $0) }
        try read(Options.delimiter) {
            if let text = arguments[Options.delimiter] { try dialect.setDelimiter(text) }
        }
        try read(Options.nullValues) {
            if let text = arguments[Options.nullValues] { try dialect.setNulls(text) }
        }
        try read(Options.noHeader) { try dialect.checkPositions() }
        return dialect
    }

    /// Where something else is missing, a list that is malformed is what is told of.
    static func checkLists(_ context: CommandContext) throws {
        let lists = listInputs(context.arguments).filter { !$0.isOnStandardInput }
        guard !lists.isEmpty else { return }
        let options = PlanOptions(
            dialect: try dialect(context.arguments),
            scratch: FileFacts.nearestFolder(to: FilePath(".")))
        do throws(PlanError) {
            _ = try BatchPlan(lists, options: options)
        } catch {
            if error.exitCode == 65 { throw error }
        }
    }
}

extension PlanInput {
    /// A list that can be read but once.
    fileprivate var isOnStandardInput: Bool {
        if case .list("-", _) = self { true } else { false }
    }
}
